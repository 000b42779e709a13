@_spi(Tools) import AtRestCrypto
import AtRestKeychain
import Foundation

/// The salt and the KDF of a composite key. Their keychain item has 47 bytes; see
/// `docs/Formats.md`.
struct CompositeSalt {
  let bytes: Data
  let kdf: PasswordKDF

  private static let version: UInt16 = 1

  /// Returns the salt. If its item does not exist and a protection is given, the salt is created;
  /// any other error is thrown.
  static func get(
    _ keychain: Keychain, _ item: PrimaryKey, protection: ItemProtection?, kdf: PasswordKDF?
  ) throws -> CompositeSalt {
    do {
      return try CompositeSalt(decoding: keychain.secret(for: item))
    } catch AtRestError.Code.notFound {
      guard let protection else {
        throw AtRestError(
          .notFound, "There is no salt for the composite key.",
          remedy: "Restore the keychain that contains the salt. For the first use, pass "
            + "creatingSalt: true.")
      }
      // The KDF is calibrated here, not inside the transaction, because other callers wait for the
      // transaction.
      let made = try CompositeSalt(
        kdf: kdf ?? .calibrated(.scrypt, to: .milliseconds(100)))
      return try CompositeSalt(
        decoding: keychain.getOrCreate(
          item, attributes: [.label: "Salt of a composite key"], protection: protection
        ) { made.encoded })
    }
  }

  private init(kdf: PasswordKDF) throws {
    try kdf.checkForeignBounds()
    self.kdf = kdf
    bytes = RandomBytes.data(count: 32)
  }

  private var encoded: SecretBytes {
    var writer = ByteWriter(capacity: 47)
    writer.integer(Self.version)
    writer.fixed(kdf.encoded)
    writer.fixed(bytes)
    defer { writer.erase() }
    return SecretBytes(writer.bytes)
  }

  private init(decoding secret: borrowing SecretBytes) throws {
    (bytes, kdf) = try secret.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The salt of the composite key")
      let version = try reader.integer(UInt16.self)
      guard version == Self.version else {
        throw AtRestError(
          .unsupportedVersion,
          "The salt of the composite key has version \(version); "
            + "this version of AtRest reads version \(Self.version).",
          remedy: "Use a later version of AtRest, or pass the right item.")
      }
      let kdf = try PasswordKDF.decoded(
        from: Data(try reader.fixed(PasswordKDF.encodedCount)),
        demandedBy: "The salt of the composite key")
      let salt = Data(try reader.fixed(32))
      try reader.finish()
      return (salt, kdf)
    }
  }
}
