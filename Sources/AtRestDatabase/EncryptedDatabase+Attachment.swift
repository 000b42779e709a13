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
  ///   - name: The name of the schema.
  ///   - creating: True to make the database if it does not exist.
  ///   - db: A connection of `EncryptedDatabase`, outside of a transaction.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the main database is not encrypted; the errors of
  ///   `open(at:key:format:creating:configuration:)`.
  public static func attach(
    _ url: URL, as name: String, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    creating: Bool = false, to db: Database
  ) throws {
    let opening = try DatabaseOpening(url, key, format)
    try DatabaseOpening.checkMain(db)
    if creating { try NewDatabase(opening, Configuration()).makeUnlessPresent() }
    try opening.attach(to: db, as: name)
  }
}
