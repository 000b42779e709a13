import Foundation
import GRDB

extension EncryptedDatabase {
  /// Attaches an encrypted database to a connection, as `ATTACH` does. A transaction can then write to
  /// both.
  ///
  /// ```swift
  /// try queue.writeWithoutTransaction { db in
  ///   try EncryptedDatabase.attach(archive, as: "archive", key: key, to: db)
  ///   try db.execute(sql: "INSERT INTO archive.note SELECT * FROM note")
  ///   try db.execute(sql: "DETACH archive")
  /// }
  /// ```
  ///
  /// `SELECT sqlcipher_export('archive')` copies the whole main database into an empty one, as in SQLCipher.
  /// `DETACH` ends the attachment. The connections of a pool have attachments of their own.
  ///
  /// - Parameters:
  ///   - url: The file, which is made if it does not exist.
  ///   - name: The name of the schema.
  ///   - db: A connection of `EncryptedDatabase`, outside of a transaction.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the main database is not encrypted; the errors of
  ///   `open(at:key:format:configuration:)`.
  public static func attach(
    _ url: URL, as name: String, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    to db: Database
  ) throws {
    try DatabaseOpening(url, key, format).attach(to: db, as: name)
  }
}
