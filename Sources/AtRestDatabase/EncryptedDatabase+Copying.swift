import AtRestCrypto
import Foundation
import GRDB

/// Copies in another format, and new keys.
extension EncryptedDatabase {
  /// Copies a database in plaintext to a new encrypted database. The original stays as it is: remove
  /// it when the copy is in use.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if `url` exists; ``AtRestError/Code/notFound`` if the
  ///   original does not; the errors of `open(at:key:format:configuration:)`.
  public static func importPlaintext(
    from original: URL, to url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4
  ) throws {
    let target = DatabaseSide.encrypted(try DatabaseOpening(url, key, format))
    try DatabaseCopy(source: .plaintext(original), target: target).run()
  }

  /// Copies an encrypted database to a new database in plaintext.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the copy exists; ``AtRestError/Code/notFound`` if the
  ///   original does not; the errors of `open(at:key:format:configuration:)`.
  public static func exportPlaintext(
    from url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4, to copy: URL
  ) throws {
    let source = DatabaseSide.encrypted(try existing(url, key, format))
    try DatabaseCopy(source: source, target: .plaintext(copy)).run()
  }

  /// Copies an encrypted database to a new one with another key or in another format, for example
  /// from SQLCipher 3 to SQLCipher 4.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if the copy exists; ``AtRestError/Code/notFound`` if the
  ///   original does not; the errors of `open(at:key:format:configuration:)`.
  public static func copy(
    from url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    to copy: URL, key newKey: DatabaseKey, format newFormat: DatabaseFormat = .sqlcipher4
  ) throws {
    let source = DatabaseSide.encrypted(try existing(url, key, format))
    let target = DatabaseSide.encrypted(try DatabaseOpening(copy, newKey, newFormat))
    try DatabaseCopy(source: source, target: target).run()
  }

  /// Encrypts a database under another key, or in another format.
  ///
  /// The database is copied beside itself, and the copy takes its name when it is durable. After a
  /// crash the file is either the old one or the new one, as a whole. No other connection may be
  /// open. One in WAL mode makes the call fail, and one in rollback mode gets errors afterwards.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if another connection is open; the errors of
  ///   `open(at:key:format:configuration:)`.
  public static func rekey(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    to newKey: DatabaseKey, format newFormat: DatabaseFormat = .sqlcipher4
  ) throws {
    let replacement = DatabaseReplacement(
      source: try existing(url, key, format), format: newFormat)
    try replacement.run(key: { newKey })
  }

  /// Draws a new random key in the keychain's item or the key file of a database, and encrypts the
  /// database under it.
  ///
  /// Until the new file is in place, the item or key file has both keys, and either opens the database.
  ///
  /// - Parameter newFormat: The format of the new file, or nil for the present one.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is neither an item of a keychain
  ///   nor in a key file; the
  ///   errors of `rekey(at:key:format:to:format:)` and of the keychain.
  public static func rekey(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    newFormat: DatabaseFormat? = nil
  ) throws {
    let opening = try existing(url, key, format)
    // The item is read and changed while the database is locked, so of two calls at the same time
    // one sees the result of the other.
    try DatabaseReplacement(source: opening, format: newFormat ?? format).run(
      key: { try key.addingRandomKey(for: opening) }, finally: { try key.keepingOnly($0) })
  }

  /// Changes the passphrase of a key file. The pages of the database stay as they are.
  ///
  /// After a crash the file has the old passphrase or the new one. Keep no copy of the old file: it
  /// opens the database with the old passphrase.
  ///
  /// - Parameter kdf: The cost of each guess of the new passphrase.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the old passphrase is wrong or the file was
  ///   modified; ``AtRestError/Code/notFound`` if there is no file; ``AtRestError/Code/damaged``;
  ///   ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/system``.
  public static func changePassphrase(
    ofKeyFile url: URL, from old: borrowing SecretBytes, to new: borrowing SecretBytes,
    kdf: PasswordKDF = .scrypt()
  ) throws {
    try DatabaseKeyFile(url: url).change(old, to: new, kdf: kdf)
  }

  /// Returns the opening of a database that must exist.
  private static func existing(
    _ url: URL, _ key: DatabaseKey, _ format: DatabaseFormat
  ) throws -> DatabaseOpening {
    guard try DatabaseFile.exists(url) else {
      throw AtRestError(
        .notFound, "There is no database \(url.path).", remedy: "Check the name of the file.")
    }
    return try DatabaseOpening(url, key, format)
  }
}
