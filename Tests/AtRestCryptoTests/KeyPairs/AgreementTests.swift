import AtRestCrypto
import Foundation
import Testing

/// Two keys agree on a secret that a third key does not have.
@Suite struct AgreementTests {
  @Test(arguments: [(KeyAlgorithm.p256, 32), (.p384, 48), (.p521, 66), (.x25519, 32)])
  func bothSidesAgree(algorithm: KeyAlgorithm, count: Int) throws {
    let alice = try PrivateKey.generate(algorithm)
    let bob = try PrivateKey.generate(algorithm)
    let eve = try PrivateKey.generate(algorithm)
    let secret = try alice.sharedSecret(with: bob.publicKey)
    let same = try bob.sharedSecret(with: alice.publicKey)
    let other = try eve.sharedSecret(with: bob.publicKey)
    #expect(secret.count == count)
    #expect(secret.isEqual(to: same) == true)
    #expect(secret.isEqual(to: other) == false)
  }

  @Test func refusesKeysThatDoNotAgree() throws {
    let p256 = try KeyAlgorithm.p256.fixture()
    for algorithm in [KeyAlgorithm.p384, .x25519, .ed25519, .rsa2048] {
      let other = try algorithm.fixture()
      let first = #expect(throws: AtRestError.self) {
        _ = try p256.sharedSecret(with: other.publicKey)
      }
      let second = #expect(throws: AtRestError.self) {
        _ = try other.sharedSecret(with: p256.publicKey)
      }
      #expect(first?.code == .invalidArgument && second?.code == .invalidArgument)
    }
    let ed25519 = try KeyAlgorithm.ed25519.fixture()
    #expect(throws: AtRestError.self) { _ = try ed25519.sharedSecret(with: ed25519.publicKey) }
  }

  // RFC 7748, section 6.1: the result would be zero whatever the private key is.
  @Test func refusesX25519KeysOfLowOrder() throws {
    let key = try PrivateKey.generate(.x25519)
    for first: UInt8 in [0, 1] {
      let low = try PublicKey(
        rawRepresentation: Data([first] + [UInt8](repeating: 0, count: 31)), algorithm: .x25519)
      let error = #expect(throws: AtRestError.self) { _ = try key.sharedSecret(with: low) }
      #expect(error?.code == .invalidArgument)
    }
  }
}
