import AtRestCrypto
import Foundation
import Testing

/// Every exported form of a key is read back as the same key.
@Suite struct KeyRoundTripTests {
  private func expectSame(
    _ key: borrowing PrivateKey, _ other: borrowing PrivateKey, _ form: Comment
  ) {
    #expect(key.algorithm == other.algorithm, form)
    #expect(key.publicKey == other.publicKey, form)
    #expect(key.storage.isEqual(to: other.storage) == true, form)
  }

  @Test(arguments: KeyAlgorithm.tested)
  func privateKeys(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    #expect(key.algorithm == algorithm)
    expectSame(key, try PrivateKey(importing: key.pemRepresentation), "PEM")
    expectSame(key, try PrivateKey(importing: key.derRepresentation), "DER")
    expectSame(
      key, try PrivateKey(storage: key.storage.duplicate(), algorithm: algorithm), "storage")
    if algorithm.canDecrypt {
      expectSame(key, try PrivateKey(importing: key.pkcs1Representation()), "PKCS#1")
    } else {
      expectSame(
        key, try PrivateKey(rawRepresentation: key.rawRepresentation(), algorithm: algorithm),
        "raw")
    }
  }

  @Test(arguments: KeyAlgorithm.tested)
  func publicKeys(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture().publicKey
    #expect(try PublicKey(importing: Data(key.pemRepresentation.utf8)) == key)
    #expect(try PublicKey(importing: key.derRepresentation) == key)
    if algorithm.canDecrypt {
      #expect(try PublicKey(importing: key.pkcs1Representation()) == key)
    } else {
      #expect(
        try PublicKey(rawRepresentation: key.rawRepresentation(), algorithm: algorithm) == key)
    }
  }

  @Test(arguments: KeyAlgorithm.nistCurves)
  func x963(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    let x963 = try key.x963Representation()
    let point = try key.publicKey.x963Representation()
    expectSame(key, try PrivateKey(x963Representation: x963), "X9.63")
    #expect(try PublicKey(x963Representation: point) == key.publicKey)
    // SecKeyCopyExternalRepresentation returns 04 ‖ X ‖ Y ‖ K.
    #expect(x963.revealed == point + key.storage.revealed)
  }

  @Test(arguments: [KeyAlgorithm.ed25519, .x25519, .rsa2048])
  func noX963ForOthers(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    let error = #expect(throws: AtRestError.self) { _ = try key.x963Representation() }
    #expect(error?.code == .invalidArgument)
  }

  @Test func noRawRSA() throws {
    let key = try Fixture.privateKey("rsa2048-pkcs8")
    #expect(throws: AtRestError.self) { _ = try key.rawRepresentation() }
    #expect(throws: AtRestError.self) { _ = try key.publicKey.rawRepresentation() }
    #expect(throws: AtRestError.self) {
      _ = try PublicKey(rawRepresentation: Data(count: 256), algorithm: .rsa2048)
    }
  }

  @Test(arguments: [KeyAlgorithm.p256, .ed25519])
  func noPKCS1ForCurves(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    #expect(throws: AtRestError.self) { _ = try key.pkcs1Representation() }
  }
}
