import AtRestCrypto
import Crypto
import Foundation

/// What the wrapping key of class B (complete-unless-open) is bound to.
struct UnlessOpenSlot {
  let store: StoreIdentity
  /// The public key that was drawn for this one slot.
  let ephemeral: Data
  /// The public key of the class.
  let publicKey: Data

  /// The wrapping key, for the owner of the class's private key.
  ///
  /// - Parameter writer: The key of class D in the same set.
  /// - Throws: ``AtRestError/Code/damaged`` if the ephemeral key is of low order: the agreement
  ///   would be zero whatever the private key is (RFC 7748, section 6.1).
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
        "\(name) has a public key of low order, as only a forger makes one.")
    }
    return wrappingKey(agreed: secret, writer: writer)
  }

  /// The wrapping key from an agreement. Whoever lacks the agreement or the writer's key lacks it.
  func wrappingKey(agreed: borrowing SecretBytes, writer: SecretBox) -> SecretBytes {
    let salt = writer.bytes.derive(.unlessOpenWriter)
    let context =
      store.bytes + [KeyClass.completeUnlessOpen.rawValue] + ephemeral + publicKey
    return salt.withUnsafeBytes { agreed.derive(.unlessOpenSlot, salt: $0, context: context) }
  }
}

extension Purpose {
  /// From the key of class D: shows that whoever wrapped a key for class B had the store open.
  static let unlessOpenWriter = Purpose("atrest.unless-open-writer.v1")
  static let unlessOpenSlot = Purpose("atrest.unless-open-slot.v1")
}
