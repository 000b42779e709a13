import AtRestCrypto
import Foundation

/// What is stored of a passphrase: a random key, wrapped under it. 119 bytes, `docs/Formats.md`.
///
/// The key stays the same when the passphrase changes, so that no data is touched.
package struct PassphraseRecord: Sendable, Hashable {
  /// Names the key, and is the same over changes of the passphrase. Not secret, 8 bytes.
  package let keyID: Data
  /// How the passphrase becomes the key that wraps.
  package let kdf: PasswordKDF
  private let salt: Data
  private let wrapped: Data
  private let code: Data

  private static let magic = Data("AtRestPR".utf8)
  private static let version: UInt16 = 1
  private static let keyIDCount = 8
  private static let codeCount = 32

  /// Makes a new random key of 32 bytes, and its record.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the KDF costs more
  ///   than a reader accepts.
  package static func make(
    _ passphrase: borrowing SecretBytes, kdf: PasswordKDF
  ) throws -> (record: PassphraseRecord, key: SecretBox) {
    let key = SecretBytes.random(count: 32)
    let record = try PassphraseRecord(key, passphrase, kdf)
    return (record, SecretBox(key))
  }

  private init(
    _ key: borrowing SecretBytes, _ passphrase: borrowing SecretBytes, _ kdf: PasswordKDF
  ) throws {
    try kdf.checkForeignBounds()
    self.kdf = kdf
    keyID = Self.keyID(of: key)
    salt = RandomBytes.data(count: 16)
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    wrapped = try WrappingKey(root.derive(.passphraseWrap)).wrap(key)
    let statement = Self.statement(keyID, kdf, salt, wrapped)
    code = root.derive(.passphraseAuthentication).authenticationCode(for: statement)
  }

  /// Of a random key: nobody finds it from its name.
  static func keyID(of key: borrowing SecretBytes) -> Data {
    Data(copying: key.derive(.passphraseKeyID, count: keyIDCount))
  }

  // MARK: Layout

  private static func statement(
    _ keyID: Data, _ kdf: PasswordKDF, _ salt: Data, _ wrapped: Data
  ) -> Data {
    var writer = ByteWriter(capacity: 119)
    writer.fixed(magic)
    writer.integer(version)
    writer.fixed(keyID)
    writer.fixed(kdf.encoded)
    writer.fixed(salt)
    writer.fixed(wrapped)
    return writer.data
  }

  /// The bytes to store. They need not be secret, though a record that is helps against guessing.
  package var encoded: Data { Self.statement(keyID, kdf, salt, wrapped) + code }

  /// Reads what ``encoded`` gave.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: borrowing SecretBytes) throws {
    self = try bytes.withUnsafeBytes { try PassphraseRecord(reading: $0) }
  }

  /// Reads what ``encoded`` gave.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: some ContiguousBytes) throws {
    self = try bytes.withUnsafeBytes { try PassphraseRecord(reading: $0) }
  }

  private init(reading bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The record of the passphrase")
    guard try reader.fixed(8).elementsEqual(Self.magic) else {
      throw AtRestError.damaged("What should be the record of a passphrase is none.")
    }
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw AtRestError(
        .unsupportedVersion, "The record of the passphrase has version \(version).",
        remedy: "Use a later version of AtRest.")
    }
    keyID = Data(try reader.fixed(Self.keyIDCount))
    kdf = try PasswordKDF.decoded(
      from: Data(try reader.fixed(PasswordKDF.encodedCount)),
      demandedBy: "The record of the passphrase")
    salt = Data(try reader.fixed(16))
    wrapped = Data(try reader.fixed(32 + WrappingKey.overhead))
    code = Data(try reader.fixed(Self.codeCount))
    try reader.finish()
  }

  // MARK: Use

  /// The key, for whoever knows the passphrase.
  ///
  /// Takes the time that the KDF orders.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the passphrase is another, or the
  ///   record was changed: the two cannot be told apart.
  package func key(_ passphrase: borrowing SecretBytes) throws -> SecretBox {
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    let statement = Self.statement(keyID, kdf, salt, wrapped)
    let isValid = root.derive(.passphraseAuthentication)
      .isValid(authenticationCode: code, for: statement)
    guard isValid else {
      throw AtRestError(
        .authenticationFailed, "The passphrase is another, or its record was changed.",
        remedy: "Try the passphrase again; if it is the right one, restore the store.")
    }
    let key = try WrappingKey(root.derive(.passphraseWrap))
      .unwrap(wrapped, name: "The key of the passphrase")
    return SecretBox(key)
  }

  /// The record of the same key under another passphrase.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the key is another than this record's, or
  ///   the KDF costs more than a reader accepts.
  package func rewrapped(
    _ key: borrowing SecretBytes, for passphrase: borrowing SecretBytes, kdf: PasswordKDF
  ) throws -> PassphraseRecord {
    guard Self.keyID(of: key) == keyID else {
      throw AtRestError.invalid(
        "The key is another than the passphrase's.",
        remedy: "Open this record with the old passphrase, and rewrap the key that it gives.")
    }
    return try PassphraseRecord(key, passphrase, kdf)
  }
}

extension Purpose {
  fileprivate static let passphraseWrap = Purpose("atrest.passphrase.wrap.v1")
  fileprivate static let passphraseAuthentication = Purpose("atrest.passphrase.authentication.v1")
  fileprivate static let passphraseKeyID = Purpose("atrest.passphrase.key-id.v1")
}
