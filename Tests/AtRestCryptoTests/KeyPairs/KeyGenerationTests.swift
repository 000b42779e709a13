import AtRestCrypto
import Foundation
import Testing

/// Generated keys have the requested algorithm, and each one is new.
@Suite struct KeyGenerationTests {
  @Test(arguments: [KeyAlgorithm.p256, .p384, .p521, .ed25519, .x25519])
  func makesNewKeys(algorithm: KeyAlgorithm) throws {
    let first = try PrivateKey.generate(algorithm)
    let second = try PrivateKey.generate(algorithm)
    #expect(first.algorithm == algorithm && first.publicKey.algorithm == algorithm)
    #expect(first.publicKey != second.publicKey)
    #expect(first.storage.isEqual(to: second.storage) == false)
  }

  @Test func makesRSAKeys() throws {
    let key = try PrivateKey.generate(.rsa2048)
    #expect(key.algorithm == .rsa2048)
    let signature = try key.signature(for: Data("AtRest".utf8))
    #expect(try key.publicKey.isValidSignature(signature, for: Data("AtRest".utf8)))
    #expect(try PrivateKey(importing: key.pemRepresentation).publicKey == key.publicKey)
  }

  @Test func refusesRSASizesThatWouldBeRounded() throws {
    let algorithm = try KeyAlgorithm.rsa(bits: 2_049)
    let error = #expect(throws: AtRestError.self) { _ = try PrivateKey.generate(algorithm) }
    #expect(error?.code == .invalidArgument)
  }
}
