@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// Protects files for the owners of key pairs. The public keys suffice to write; a private key is
/// needed to read.
struct RecipientFileKeys: FileKeys {
  /// A key pair whose private half may stay in a keychain.
  struct Identity: Sendable {
    let publicKey: PublicKey
    let agree: @Sendable (PublicKey) throws -> SecretBytes
  }

  let recipients: [PublicKey]
  let identity: Identity?

  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are no recipients or too many, or if
  ///   their algorithms are not X25519 or P-256.
  init(recipients: [PublicKey], identity: Identity?) throws {
    guard !recipients.isEmpty, recipients.count <= FileHeader.maximumSlots else {
      throw AtRestError.invalid(
        "A file has 1 to \(FileHeader.maximumSlots) recipients, not \(recipients.count).",
        remedy: "Pass fewer recipients, or a key that several share.")
    }
    for key in recipients where key.algorithm != .x25519 && key.algorithm != .p256 {
      throw AtRestError.invalid(
        "A recipient needs an X25519 or P-256 key, not \(key.algorithm.name).",
        remedy: "Create one: atrest keygen --algorithm x25519 --tag NAME.")
    }
    self.recipients = recipients
    self.identity = identity
  }

  static func fingerprint(of key: PublicKey) -> Data {
    Data(SHA256.hash(data: key.derRepresentation).prefix(KeySlot.fingerprintCount))
  }

  private static func raw(_ key: PublicKey) throws -> Data {
    key.algorithm == .p256 ? try key.x963Representation() : try key.rawRepresentation()
  }

  private static func wrappingKey(
    _ agreed: borrowing SecretBytes, ephemeral: Data, recipient: PublicKey
  ) throws -> WrappingKey {
    try WrappingKey(
      agreed.derive(.fileRecipientWrap, context: ephemeral + raw(recipient)))
  }

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] {
    try refuseClass(protection)
    var slots: [KeySlot] = []
    for recipient in recipients {
      let pair = try PrivateKey.generate(recipient.algorithm)
      let ephemeral = try Self.raw(pair.publicKey)
      let wrapping = try Self.wrappingKey(
        pair.sharedSecret(with: recipient), ephemeral: ephemeral, recipient: recipient)
      slots.append(
        .recipient(
          algorithm: recipient.algorithm, fingerprint: Self.fingerprint(of: recipient),
          ephemeral: ephemeral, wrapped: try wrapping.wrap(key)))
    }
    return slots
  }

  private static func agree(
    _ identity: Identity, _ ephemeral: PublicKey, _ name: String
  ) throws -> SecretBytes {
    do {
      return try identity.agree(ephemeral)
    } catch  where ephemeral.isOfLowOrder {
      throw AtRestError.damaged(
        "\(name) has a key slot with a public key of low order, which only an attacker would use.")
    }
  }

  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes {
    try unwrap(slots, name: name) { _ in true }
  }

  func unwrap(
    _ slots: [KeySlot], name: String, accepting isRight: (borrowing SecretBytes) -> Bool
  ) throws -> SecretBytes {
    guard let identity else {
      throw AtRestError(
        .notPermitted, "\(name) cannot be read with public keys only.",
        remedy: "Use the private key of a recipient.")
    }
    let fingerprint = Self.fingerprint(of: identity.publicKey)
    let found = try firstKey(of: slots, accepting: isRight) { slot in
      guard case .recipient(let algorithm, fingerprint, let ephemeral, let wrapped) = slot,
        algorithm == identity.publicKey.algorithm
      else { return nil }
      let ephemeralKey: PublicKey
      do {
        ephemeralKey =
          algorithm == .p256
          ? try PublicKey(x963Representation: ephemeral)
          : try PublicKey(rawRepresentation: ephemeral, algorithm: algorithm)
      } catch {
        throw AtRestError.damaged("\(name) has a key slot without a valid public key.")
      }
      return try Self.wrappingKey(
        Self.agree(identity, ephemeralKey, name), ephemeral: ephemeral,
        recipient: identity.publicKey
      ).unwrap(wrapped, name: "The key of \(name)")
    }
    if let found { return found }
    throw AtRestError(
      .notPermitted,
      "\(name) is protected with \(KeySlot.summary(of: slots)), not for the "
        + "\(identity.publicKey.algorithm.name) key \(fingerprint.hexadecimal).",
      remedy: "Use the private key of a recipient.")
  }
}
