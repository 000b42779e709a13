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
///   at: url, key: .item("app-database", in: keychain))
/// try database.write { db in
///   try db.create(table: "note") { $0.primaryKey("id", .text) }
/// }
/// ```
///
/// SQLite writes no plaintext through these connections: temporary tables and indexes stay in memory,
/// and an `ATTACH` or `VACUUM INTO` that names a file without a key fails.
public enum EncryptedDatabase {
  static let vfs = "atrest"

  /// Opens or creates a database for several readers and a writer at a time, in WAL mode.
  ///
  /// - Parameters:
  ///   - url: The database's file.
  ///   - key: The key. If it is a keychain's item, the first opening of a new database makes it.
  ///   - format: The format of the file.
  ///   - configuration: GRDB's configuration. The call adds what the encryption needs.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the key is the wrong one;
  ///   ``AtRestError/Code/damaged``; ``AtRestError/Code/notProtected`` if the file is a database in
  ///   plaintext; ``AtRestError/Code/invalidArgument`` if the file has another page size or version
  ///   than `format`; ``AtRestError/Code/notFound`` if the file exists, and the keychain has no such
  ///   item; ``AtRestError/Code/locked`` and the keychain's other errors;
  ///   ``AtRestError/Code/busy``; ``AtRestError/Code/system``.
  public static func open(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    try DatabaseOpening(url, key, format).open(configuration) {
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      try DatabasePool(path: $0, configuration: $1)
    }
  }

  /// Opens or creates a database with a passphrase, from which the key is derived as SQLCipher does
  /// it.
  ///
  /// - Throws: The errors of `open(at:key:format:configuration:)`.
  public static func open(
    at url: URL, passphrase: borrowing SecretBytes, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws -> DatabasePool {
    try open(
      at: url, key: .passphrase(passphrase), format: format, configuration: configuration)
  }

  /// Opens or creates a database for one reader or writer at a time, in the journal mode that the
  /// file has.
  ///
  /// - Throws: The errors of `open(at:key:format:configuration:)`.
  public static func openQueue(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseQueue {
    try DatabaseOpening(url, key, format).open(configuration) { path, configuration in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      // Writes page 1 of a new database, so that its salt stays.
      if !configuration.readonly, try DatabaseFile(url, format: format).isEmpty {
        try queue.writeWithoutTransaction { try $0.inTransaction(.immediate) { .commit } }
      }
      return queue
    }
  }
}
