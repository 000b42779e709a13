import Foundation

/// The stored record of a passphrase: a random key, wrapped with a key derived from the passphrase.
/// The record has 119 bytes; see `docs/Formats.md`.
///
/// The random key stays the same when the passphrase changes, so no data has to be encrypted again.
package struct PassphraseRecord: Sendable, Hashable {
  /// The identity of the random key, 8 bytes. The identity is not secret, and stays the same when
  /// the passphrase changes.
  package let keyID: Data
  /// The KDF that derives the wrapping key from the passphrase.
  package let kdf: PasswordKDF
  private let salt: Data
  private let wrapped: Data
  private let code: Data

  private static let magic = Data("AtRestPR".utf8)
  private static let version: UInt16 = 1
  private static let keyIDCount = 8
  private static let codeCount = 32

  /// Creates a random key of 32 bytes, and the key's record.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the KDF costs more than a reader accepts.
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

  /// Returns the identity of a random key. The key cannot be computed from its identity.
  package static func keyID(of key: borrowing SecretBytes) -> Data {
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

  /// The bytes to store, which need not be secret. Keeping them secret makes it harder to guess the
  /// passphrase.
  package var encoded: Data { Self.statement(keyID, kdf, salt, wrapped) + code }

  /// Decodes the bytes of ``encoded``.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: borrowing SecretBytes) throws {
    self = try bytes.withUnsafeBytes { try PassphraseRecord(reading: $0) }
  }

  /// Decodes the bytes of ``encoded``.
  ///
  /// - Throws: ``AtRestError/Code/damaged``; ``AtRestError/Code/unsupportedVersion``.
  package init(decoding bytes: some ContiguousBytes) throws {
    self = try bytes.withUnsafeBytes { try PassphraseRecord(reading: $0) }
  }

  private init(reading bytes: UnsafeRawBufferPointer) throws {
    var reader = ByteReader(bytes, name: "The record of the passphrase")
    guard try reader.fixed(8).elementsEqual(Self.magic) else {
      throw AtRestError.damaged("This is not the record of a passphrase.")
    }
    let version = try reader.integer(UInt16.self)
    guard version == Self.version else {
      throw AtRestError.unsupported(
        "The record of the passphrase", version: version, known: Self.version)
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

  /// Returns the key if the passphrase is right.
  ///
  /// The call takes as long as the KDF requires.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong or the record
  ///   was modified; the two cannot be distinguished.
  package func key(_ passphrase: borrowing SecretBytes) throws -> SecretBox {
    let root = try kdf.deriveKey(from: passphrase, salt: salt)
    let statement = Self.statement(keyID, kdf, salt, wrapped)
    let isValid = root.derive(.passphraseAuthentication)
      .isValid(authenticationCode: code, for: statement)
    guard isValid else {
      throw AtRestError(
        .authenticationFailed, "The passphrase is wrong, or its record was modified.",
        remedy: "Try the passphrase again. If it is right, restore the record from a backup.")
    }
    let key = try WrappingKey(root.derive(.passphraseWrap))
      .unwrap(wrapped, name: "The key of the passphrase")
    return SecretBox(key)
  }

  /// Returns a record of the same key for another passphrase.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not this record's key, or the KDF
  ///   costs more than a reader accepts.
  package func rewrapped(
    _ key: borrowing SecretBytes, for passphrase: borrowing SecretBytes, kdf: PasswordKDF
  ) throws -> PassphraseRecord {
    guard Self.keyID(of: key) == keyID else {
      throw AtRestError.invalid(
        "The key is not the one in this record.",
        remedy: "Get the key from this record with the old passphrase, and rewrap that key.")
    }
    return try PassphraseRecord(key, passphrase, kdf)
  }
}

extension Purpose {
  fileprivate static let passphraseWrap = Purpose("atrest.passphrase.wrap.v1")
  fileprivate static let passphraseAuthentication = Purpose("atrest.passphrase.authentication.v1")
  fileprivate static let passphraseKeyID = Purpose("atrest.passphrase.key-id.v1")
}
