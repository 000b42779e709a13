import AtRestCrypto
import CAtRestDatabase
import Foundation
import GRDB

/// Encrypted SQLite databases that GRDB reads and writes, over the system's SQLite.
///
/// The files are those of SQLCipher 4: the database, its rollback journal and its write-ahead log.
///
/// ```swift
/// let database = try EncryptedDatabase.open(
///   at: url, key: .item("app-database", in: keychain), creating: true)
/// try database.write { db in
///   try db.create(table: "note") { $0.primaryKey("id", .text) }
/// }
/// ```
///
/// SQLite writes no plaintext through these connections: temporary tables and indexes stay in memory,
/// and an `ATTACH` or `VACUUM INTO` that names a file without a key fails.
public enum EncryptedDatabase {
  static let vfs = "atrest"

  /// Opens a database for several readers and a writer at a time, in WAL mode.
  ///
  /// A file that is missing or empty is not taken for a new database. With `creating`, a missing one is made,
  /// unless its log, its journal, or a key of a database with its name exists. That a database is lost can then
  /// only go unnoticed if all of these are gone too; with a passphrase or a raw key there is no such key.
  /// ``create(at:key:format:configuration:)`` is for programs that know that the file does not exist.
  ///
  /// - Parameters:
  ///   - url: The database's file.
  ///   - key: The key.
  ///   - format: The format of the file.
  ///   - creating: True to make the database, and the keychain's item or key file, if they do not exist.
  ///   - configuration: GRDB's configuration. The call adds what the encryption needs.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no database, or if the file exists and the keychain has
  ///   no such item; ``AtRestError/Code/authenticationFailed`` if the key is the wrong one;
  ///   ``AtRestError/Code/damaged`` if a page is not authentic, or the file is empty, or missing although its log
  ///   or key exists; ``AtRestError/Code/notProtected`` if the file is a database in plaintext;
  ///   ``AtRestError/Code/invalidArgument`` if the file has another format; ``AtRestError/Code/locked`` and the
  ///   keychain's other errors; ``AtRestError/Code/busy``; ``AtRestError/Code/system``, with SQLite's message.
  public static func open(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4, creating: Bool = false,
    configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    try opening(url, key, format, creating, configuration).open(configuration) {
      path, configuration, _ in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      try DatabasePool(path: path, configuration: configuration)
    }
  }

  /// Opens a database with a passphrase, from which the key is derived as SQLCipher does it.
  ///
  /// - Throws: The errors of `open(at:key:format:creating:configuration:)`.
  public static func open(
    at url: URL, passphrase: borrowing SecretBytes, format: DatabaseFormat = .sqlcipher4,
    creating: Bool = false, configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    try open(
      at: url, key: .passphrase(passphrase), format: format, creating: creating,
      configuration: configuration)
  }

  /// Opens a database for one reader or writer at a time, in the journal mode that the file has.
  ///
  /// - Parameter creating: As for `open(at:key:format:creating:configuration:)`.
  /// - Throws: The errors of `open(at:key:format:creating:configuration:)`.
  public static func openQueue(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4, creating: Bool = false,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try opening(url, key, format, creating, configuration).open(configuration) {
      path, configuration, _ in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  /// Makes an empty database, and the keychain's item or key file if it does not exist.
  ///
  /// The file has its name, and mode 0600, from the moment when it is whole and durable.
  ///
  /// - Parameter configuration: GRDB's configuration of the connection that writes the first page.
  /// - Throws: ``AtRestError/Code/duplicate`` if the file exists, also an empty one; ``AtRestError/Code/damaged`` if
  ///   only its log or its journal does; the other errors of
  ///   `open(at:key:format:creating:configuration:)`.
  public static func create(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws {
    try NewDatabase(DatabaseOpening(url, key, format), configuration).make()
  }

  private static func opening(
    _ url: URL, _ key: DatabaseKey, _ format: DatabaseFormat, _ creating: Bool,
    _ configuration: Configuration
  ) throws -> DatabaseOpening {
    let opening = try DatabaseOpening(url, key, format)
    if creating { try NewDatabase(opening, configuration).makeUnlessPresent() }
    return opening
  }
}
