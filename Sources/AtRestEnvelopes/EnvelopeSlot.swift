@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation

/// One wrapped copy of the key of an envelope.
enum EnvelopeSlot: Hashable {
  /// The key is wrapped with a key-encryption key of a keychain.
  case keyEncryptionKey(id: Data, wrapped: Data)
  /// The key is wrapped with a key from a key agreement (X25519 or P-256) with an ephemeral key.
  case agreement(KeyAlgorithm, fingerprint: Data, ephemeral: Data, wrapped: Data)
  /// The key is encrypted with RSA-OAEP and SHA-256.
  case rsa(fingerprint: Data, ciphertext: Data)

  static let fingerprintCount = 8
  static let keyIDCount = 8
  private static let wrappedCount = 40
  /// The size of the largest slot, which is for RSA with 4,096 bits.
  static let maximumCount = 1 + fingerprintCount + 512

  var reader: Envelope.Reader {
    switch self {
    case .keyEncryptionKey(let id, _): .keyEncryptionKey(id)
    case .agreement(_, let fingerprint, _, _), .rsa(let fingerprint, _):
      .recipient(fingerprint: fingerprint)
    }
  }

  // MARK: Layout

  var encoded: Data {
    var writer = ByteWriter()
    switch self {
    case .keyEncryptionKey(let id, let wrapped):
      writer.integer(UInt8(1))
      writer.fixed(id)
      writer.fixed(wrapped)
    case .agreement(let algorithm, let fingerprint, let ephemeral, let wrapped):
      writer.integer(UInt8(algorithm == .p256 ? 3 : 2))
      writer.fixed(fingerprint)
      writer.fixed(ephemeral)
      writer.fixed(wrapped)
    case .rsa(let fingerprint, let ciphertext):
      writer.integer(UInt8(4))
      writer.fixed(fingerprint)
      writer.fixed(ciphertext)
    }
    return writer.data
  }

  init(decoding bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "A key slot of the envelope")
    let type = try reader.integer(UInt8.self)
    switch type {
    case 1:
      self = .keyEncryptionKey(
        id: Data(try reader.fixed(Self.keyIDCount)),
        wrapped: Data(try reader.fixed(Self.wrappedCount)))
    case 2, 3:
      self = .agreement(
        type == 3 ? .p256 : .x25519, fingerprint: Data(try reader.fixed(Self.fingerprintCount)),
        ephemeral: Data(try reader.fixed(type == 3 ? 65 : 32)),
        wrapped: Data(try reader.fixed(Self.wrappedCount)))
    case 4:
      self = .rsa(
        fingerprint: Data(try reader.fixed(Self.fingerprintCount)),
        ciphertext: Data(try reader.fixed(reader.remaining)))
    default:
      throw AtRestError(
        .unsupportedVersion, "The envelope has a key slot of type \(type), which is unknown.",
        remedy: "Use a later version of AtRest.")
    }
    try reader.finish()
  }

  // MARK: Key-encryption keys

  static func wrap(
    _ key: borrowing SecretBytes, under kek: borrowing SecretBytes, id: Data, envelope: Data
  ) throws -> EnvelopeSlot {
    let wrapping = try WrappingKey(kek.derive(.envelopeKeyWrap, context: envelope))
    return .keyEncryptionKey(id: id, wrapped: try wrapping.wrap(key))
  }

  func unwrap(under kek: borrowing SecretBytes, envelope: Data) throws -> SecretBytes {
    guard case .keyEncryptionKey(_, let wrapped) = self else {
      preconditionFailure("Found by its identifier.")
    }
    return try WrappingKey(kek.derive(.envelopeKeyWrap, context: envelope))
      .unwrap(wrapped, name: "The key of the envelope")
  }

  // MARK: Recipients

  static func fingerprint(of key: PublicKey) -> Data {
    Data(SHA256.hash(data: key.derRepresentation).prefix(fingerprintCount))
  }

  private static func raw(_ key: PublicKey) throws -> Data {
    key.algorithm == .p256 ? try key.x963Representation() : try key.rawRepresentation()
  }

  private static func wrappingKey(
    _ agreed: borrowing SecretBytes, _ ephemeral: Data, _ recipient: PublicKey, _ envelope: Data
  ) throws -> WrappingKey {
    try WrappingKey(
      agreed.derive(
        .envelopeRecipientWrap, context: envelope + ephemeral + raw(recipient)))
  }

  static func wrap(
    _ key: borrowing SecretBytes, for recipient: PublicKey, envelope: Data
  ) throws -> EnvelopeSlot {
    let fingerprint = fingerprint(of: recipient)
    if recipient.algorithm.canDecrypt {
      return .rsa(fingerprint: fingerprint, ciphertext: try recipient.encrypt(key))
    }
    guard recipient.algorithm == .x25519 || recipient.algorithm == .p256 else {
      throw AtRestError.invalid(
        "A recipient needs an X25519, P-256 or RSA key, not \(recipient.algorithm.name).",
        remedy: "Create one: atrest keygen --algorithm x25519 --tag NAME.")
    }
    let pair = try PrivateKey.generate(recipient.algorithm)
    let ephemeral = try raw(pair.publicKey)
    let wrapping = try wrappingKey(
      pair.sharedSecret(with: recipient), ephemeral, recipient, envelope)
    return .agreement(
      recipient.algorithm, fingerprint: fingerprint, ephemeral: ephemeral,
      wrapped: try wrapping.wrap(key))
  }

  /// Unwraps the key with a private key, which may stay in a keychain.
  func unwrap(
    _ publicKey: PublicKey, envelope: Data, agree: (PublicKey) throws -> SecretBytes,
    decrypt: (Data) throws -> SecretBytes
  ) throws -> SecretBytes {
    switch self {
    case .agreement(let algorithm, _, let ephemeral, let wrapped):
      let ephemeralKey: PublicKey
      do {
        ephemeralKey =
          algorithm == .p256
          ? try PublicKey(x963Representation: ephemeral)
          : try PublicKey(rawRepresentation: ephemeral, algorithm: algorithm)
      } catch {
        throw AtRestError.damaged("The envelope has a key slot without a valid public key.")
      }
      let agreed: SecretBytes
      do { agreed = try agree(ephemeralKey) } catch AtRestError.Code.invalidArgument {
        // The ephemeral key is a point of low order.
        throw AtRestError.damaged("The envelope has a key slot with an invalid ephemeral key.")
      }
      return try Self.wrappingKey(agreed, ephemeral, publicKey, envelope)
        .unwrap(wrapped, name: "The key of the envelope")
    case .rsa(_, let ciphertext):
      return try decrypt(ciphertext)
    case .keyEncryptionKey:
      preconditionFailure("Found by its fingerprint.")
    }
  }
}
