@_spi(Tools) import AtRestCrypto
import AtRestKeybag
import Foundation

/// A wrapped copy of a file's key in the header, for one reader.
package enum KeySlot: Sendable, Equatable {
  /// The key is wrapped with a class key of a store.
  case store(protection: FileProtection, store: Data, wrapped: Data)
  /// The key is wrapped with a key derived from a passphrase.
  case passphrase(kdf: PasswordKDF, salt: Data, wrapped: Data)
  /// The key is wrapped with a key derived from the shared secret of an ephemeral key and the
  /// recipient's key.
  case recipient(algorithm: KeyAlgorithm, fingerprint: Data, ephemeral: Data, wrapped: Data)
  /// The key is wrapped with a key that is kept outside the file.
  case key(fingerprint: Data, wrapped: Data)

  static let wrappedCount = 40
  static let fingerprintCount = 8
  /// The maximum size of a slot in bytes. The longest slots are for class B and P-256 recipients.
  static let maximumCount = 160

  var isPassphrase: Bool { if case .passphrase = self { true } else { false } }

  var encoded: Data {
    var writer = ByteWriter()
    switch self {
    case .store(let protection, let store, let wrapped):
      writer.integer(UInt8(1))
      writer.integer(protection.keyClass.rawValue)
      writer.fixed(store)
      writer.fixed(wrapped)
    case .passphrase(let kdf, let salt, let wrapped):
      writer.integer(UInt8(2))
      writer.fixed(kdf.encoded)
      writer.fixed(salt)
      writer.fixed(wrapped)
    case .recipient(let algorithm, let fingerprint, let ephemeral, let wrapped):
      writer.integer(UInt8(algorithm == .p256 ? 4 : 3))
      writer.fixed(fingerprint)
      writer.fixed(ephemeral)
      writer.fixed(wrapped)
    case .key(let fingerprint, let wrapped):
      writer.integer(UInt8(5))
      writer.fixed(fingerprint)
      writer.fixed(wrapped)
    }
    return writer.data
  }

  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion`` if the type is
  ///   unknown.
  init(decoding bytes: UnsafeRawBufferPointer, name: String) throws {
    var reader = ByteReader(bytes, name: "A key slot of \(name)")
    let type = try reader.integer(UInt8.self)
    switch type {
    case 1:
      let number = try reader.integer(UInt8.self)
      guard let keyClass = KeyClass(rawValue: number), let protection = FileProtection(keyClass)
      else { throw AtRestError.damaged("\(name) names the unknown class \(number).") }
      let store = Data(try reader.fixed(16))
      let ephemeralCount = protection == .completeUnlessOpen ? 32 : 0
      self = .store(
        protection: protection, store: store,
        wrapped: Data(try reader.fixed(ephemeralCount + Self.wrappedCount)))
    case 2:
      let kdf = try PasswordKDF.decoded(
        from: Data(try reader.fixed(PasswordKDF.encodedCount)), demandedBy: name)
      self = .passphrase(
        kdf: kdf, salt: Data(try reader.fixed(16)),
        wrapped: Data(try reader.fixed(Self.wrappedCount)))
    case 3, 4:
      self = .recipient(
        algorithm: type == 4 ? .p256 : .x25519,
        fingerprint: Data(try reader.fixed(Self.fingerprintCount)),
        ephemeral: Data(try reader.fixed(type == 4 ? 65 : 32)),
        wrapped: Data(try reader.fixed(Self.wrappedCount)))
    case 5:
      self = .key(
        fingerprint: Data(try reader.fixed(Self.fingerprintCount)),
        wrapped: Data(try reader.fixed(Self.wrappedCount)))
    default:
      throw AtRestError(
        .unsupportedVersion, "\(name) has a key slot of type \(type), which is unknown.",
        remedy: "Use a later version of AtRest.")
    }
    try reader.finish()
  }
}
