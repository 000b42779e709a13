import AtRestCrypto
import Crypto
import Foundation

/// The context to which the wrapping key of class B (complete-unless-open) is bound.
struct UnlessOpenSlot {
  let store: StoreIdentity
  /// The ephemeral public key, which was generated for this slot only.
  let ephemeral: Data
  /// The public key of the class.
  let publicKey: Data

  /// Returns the wrapping key, for the holder of the class's private key.
  ///
  /// - Parameter writer: The key of class D in the same set.
  /// - Throws: ``AtRestError/Code/damaged`` if the ephemeral key is of low order: the shared secret
  ///   would be zero with any private key (RFC 7748, section 6.1).
  func wrappingKey(
    for pair: Curve25519.KeyAgreement.PrivateKey, writer: SecretBox, name: String
  ) throws -> SecretBytes {
    guard
      let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: ephemeral),
      let agreed = try? pair.sharedSecretFromKeyAgreement(with: key)
    else { throw AtRestError.damaged("\(name) has no valid public key.") }
    let secret = SecretBytes(agreed)
    guard !secret.isZero else {
      throw AtRestError.damaged(
        "\(name) has a public key of low order, which only an attacker would use.")
    }
    return wrappingKey(agreed: secret, writer: writer)
  }

  /// Returns the wrapping key, which is derived from both the shared secret and the key of class D.
  func wrappingKey(agreed: borrowing SecretBytes, writer: SecretBox) -> SecretBytes {
    let salt = writer.bytes.derive(.unlessOpenWriter)
    let context =
      store.bytes + [KeyClass.completeUnlessOpen.rawValue] + ephemeral + publicKey
    return salt.withUnsafeBytes { agreed.derive(.unlessOpenSlot, salt: $0, context: context) }
  }
}

extension Purpose {
  /// Derives a salt from the key of class D. The salt proves that a key was wrapped by a process
  /// that had the store open.
  static let unlessOpenWriter = Purpose("atrest.unless-open-writer.v1")
  static let unlessOpenSlot = Purpose("atrest.unless-open-slot.v1")
}
