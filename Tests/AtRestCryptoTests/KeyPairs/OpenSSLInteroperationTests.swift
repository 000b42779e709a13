import AtRestCrypto
import Foundation
import Testing

/// OpenSSL's keys, signatures and ciphertexts are read, and keys are written in the same form.
@Suite struct OpenSSLInteroperationTests {
  private let message = Data("AtRest".utf8)

  @Test(arguments: KeyAlgorithm.tested)
  func pkcs8IsWrittenAlike(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    #expect(key.pemRepresentation.revealed == (try Fixture.data("\(algorithm)-pkcs8.pem")))
    #expect(key.derRepresentation.revealed == (try Fixture.der("\(algorithm)-pkcs8")))
  }

  @Test(arguments: KeyAlgorithm.tested)
  func publicKeyIsWrittenAlike(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture().publicKey
    #expect(try Fixture.publicKey("\(algorithm)-public") == key)
    #expect(key.pemRepresentation == (try Fixture.text("\(algorithm)-public.pem")))
    #expect(key.derRepresentation == (try Fixture.der("\(algorithm)-public")))
  }

  @Test(arguments: KeyAlgorithm.nistCurves)
  func readsSEC1(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture().publicKey
    #expect(try Fixture.privateKey("\(algorithm)-sec1").publicKey == key)
    let der = SecretBytes(try Fixture.der("\(algorithm)-sec1"))
    #expect(try PrivateKey(importing: der).publicKey == key)
  }

  @Test func readsPKCS1() throws {
    let key = try Fixture.privateKey("rsa2048-pkcs8")
    let other = try Fixture.privateKey("rsa2048-pkcs1")
    #expect(key.storage.isEqual(to: other.storage) == true)
    #expect(try Fixture.publicKey("rsa2048-public-pkcs1") == key.publicKey)
    #expect(try key.pkcs1Representation().revealed == Fixture.der("rsa2048-pkcs1"))
    #expect(try key.publicKey.pkcs1Representation() == Fixture.der("rsa2048-public-pkcs1"))
  }

  @Test func readsSEC1AfterParameters() throws {
    #expect(try Fixture.privateKey("p256-parameters").algorithm == .p256)
  }

  @Test func readsTextAroundPEMAndOtherLineEnds() throws {
    let pem = try Fixture.text("p256-pkcs8.pem")
    let key = try Fixture.privateKey("p256-pkcs8").publicKey
    for text in [
      "0 is how this text begins\n\(pem)", "\(pem)\nand more", "Bag Attributes\n  x: y\n\(pem)",
      pem.replacing("\n", with: "\r\n"), String(pem.dropLast()),
    ] {
      #expect(try PrivateKey(importing: SecretBytes(utf8: text)).publicKey == key)
    }
  }

  @Test(arguments: [
    (KeyAlgorithm.p256, SignatureScheme.ecdsaSHA256, "p256.sig"),
    (.p384, .ecdsaSHA384, "p384.sig"), (.p521, .ecdsaSHA512, "p521.sig"),
    (.ed25519, .ed25519, "ed25519.sig"), (.rsa2048, .rsaPSSSHA256, "rsa-pss.sig"),
    (.rsa2048, .rsaPKCS1SHA512, "rsa-pkcs1-sha512.sig"),
  ])
  func verifiesSignatures(
    algorithm: KeyAlgorithm, scheme: SignatureScheme, name: String
  ) throws {
    let key = try Fixture.publicKey("\(algorithm)-public")
    let signature = try Fixture.output(name)
    #expect(try key.isValidSignature(signature, for: message, scheme: scheme))
    #expect(try !key.isValidSignature(signature, for: message + [0], scheme: scheme))
  }

  @Test func decryptsOAEP() throws {
    let key = try Fixture.privateKey("rsa2048-pkcs8")
    #expect(try key.decrypt(Fixture.output("rsa-oaep.enc")).revealed == message)
  }

  // The SHA-1 that `sha1sum` gives for OpenSSL's export.
  @Test(arguments: [
    (KeyAlgorithm.p256, "35180925bc03199b06c076f57838f749d38a103c"),
    (.p384, "9d1ea91e6c60e35a0da60ee943739cdeaa69ebd6"),
    (.p521, "7369c19d3748f8ff9d85bf4ce0a29befbb5a9653"),
    (.rsa2048, "e4f41a82523084a5f9db2653e8c8efe686cae465"),
    (.ed25519, "285821d3f3fc649372c08161c3b3a3fa8f2d8bd3"),
    (.x25519, "68200571e2409f28bad5f84543ac2c133299e4a0"),
  ])
  func applicationLabelIsTheSHA1OfTheKey(algorithm: KeyAlgorithm, label: String) throws {
    #expect(try Fixture.publicKey("\(algorithm)-public").applicationLabel.hex == label)
  }
}
