import CryptoKit
import Foundation
import Testing

/// The module has the names of CryptoKit, and its own names hide none of them.
@Suite struct ReexportTests {
  @Test func aKeyInMemorySignsBesideTheSecureEnclave() throws {
    let key = P256.Signing.PrivateKey()
    let signature: P256.Signing.ECDSASignature = try key.signature(for: message)
    #expect(CryptoKit.P256.Signing.PublicKey.self == P256.Signing.PublicKey.self)
    #expect(key.publicKey.isValidSignature(signature, for: message))
  }

  @Test func boxesDigestsAndCodesHaveTheirNames() throws {
    let key = SymmetricKey(size: .bits256)
    let box = try CryptoKit.AES.GCM.seal(message, using: key)
    #expect(try AES.GCM.open(box, using: key) == message)
    #expect(
      try ChaChaPoly.open(ChaChaPoly.seal(message, using: key), using: key) == message)
    // FIPS 180-4, example "abc".
    #expect(
      "\(SHA256.hash(data: Data("abc".utf8)))".hasSuffix(
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    #expect(Insecure.MD5.hash(data: message).description.hasPrefix("MD5 digest"))
    let code = HMAC<SHA512>.authenticationCode(for: message, using: key)
    #expect(HMAC<SHA512>.isValidAuthenticationCode(code, authenticating: message, using: key))
    // swift-crypto has another case for it than CryptoKit: see docs/CryptoKit.md.
    #expect(throws: CryptoKitError.self) {
      try AES.GCM.open(box, using: SymmetricKey(size: .bits256))
    }
  }

  @Test func postQuantumKeysAreInMemory() throws {
    let signing = try MLDSA65.PrivateKey()
    #expect(
      signing.publicKey.isValidSignature(try signing.signature(for: message), for: message))
    let decapsulation = try MLKEM768.PrivateKey()
    let result = try decapsulation.publicKey.encapsulate()
    #expect(try decapsulation.decapsulate(result.encapsulated) == result.sharedSecret)
    #expect(try MLDSA87.PrivateKey().publicKey.rawRepresentation.count == 2_592)
    #expect(try MLKEM1024.PrivateKey().publicKey.rawRepresentation.count == 1_568)
  }
}
