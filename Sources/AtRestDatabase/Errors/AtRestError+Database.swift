import AtRestCrypto
import AtRestKeybag
import Foundation
import GRDB

extension DatabaseError {
  /// SQLite's own message and the result code, without SQL and values.
  var words: String {
    "SQLite: \(message ?? "error"), code \(extendedResultCode.rawValue)"
  }
}

extension AtRestError {
  /// Converts an error of SQLite while a database is opened or read. The result contains SQLite's message, but
  /// no SQL and no values.
  static func from(
    _ error: any Error, opening: DatabaseOpening, cipher: PageCipher
  ) -> AtRestError {
    if let known = error as? AtRestError { return known }
    let path = opening.url.path
    guard let error = error as? DatabaseError else {
      return AtRestError(
        .system, "The database \(path) could not be used.", remedy: "See the cause.", cause: error)
    }
    switch (error.resultCode, error.extendedResultCode) {
    case (.SQLITE_NOTADB, _), (.SQLITE_CORRUPT, _), (_, .SQLITE_IOERR_DATA),
      // Without an HMAC, a wrong key gives wrong sizes.
      (.SQLITE_IOERR, _) where opening.format.authentication == nil:
      do {
        return try DatabaseRefusal(opening, cipher).error(error)
      } catch {
        return AtRestError(
          .system, "The database \(path) could not be opened.", remedy: "See the cause.",
          cause: error)
      }
    case (.SQLITE_INTERRUPT, _) where opening.key.isEnded:
      return AtRestError(
        .wiped,
        "The store with the key of the database \(path) was wiped or replaced (\(error.words)).",
        remedy: "Restore the store from a backup.")
    case (.SQLITE_ERROR, _):
      return AtRestError(
        .system, "SQLite cannot use the database \(path) (\(error.words)).",
        remedy:
          "If it needs collations, functions or tokenizers of an application, use the library, with a "
          + "Configuration that adds them.")
    default:
      return ofUse(error, at: path)
        ?? AtRestError(
          .system, "The database \(path) could not be opened (\(error.words)).",
          remedy: "Check the folder, its permissions and the free space of its disk.")
    }
  }

  /// Converts an error that concerns the files of a database, and not its key, its contents or the SQL. Returns nil
  /// for other errors.
  package static func ofUse(_ error: DatabaseError, at path: String) -> AtRestError? {
    switch (error.resultCode, error.extendedResultCode) {
    case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _):
      AtRestError(
        .busy,
        "The database \(path) was in use by another connection for too long (\(error.words)).",
        remedy: "Try again.")
    case (_, .SQLITE_READONLY_DBMOVED):
      AtRestError(
        .busy, "The database \(path) was replaced or removed while it was open (\(error.words)).",
        remedy: "Open it again.")
    case (_, .SQLITE_READONLY_DIRECTORY):
      AtRestError(
        .notPermitted,
        "The folder of the database \(path), where SQLite keeps its journal, may not be written (\(error.words)).",
        remedy: "Check the permissions of the folder.")
    case (.SQLITE_PERM, _), (.SQLITE_READONLY, _), (.SQLITE_AUTH, _):
      AtRestError(
        .notPermitted, "The database \(path) may not be written (\(error.words)).",
        remedy: "Check its permissions and the pragma query_only, or open it for reading only.")
    case (.SQLITE_FULL, _): .fullDisk(path)
    default: nil
    }
  }

  /// The error of a file for which an item or a key file has no key.
  static func withoutRecord(
    _ opening: DatabaseOpening, _ file: DatabaseFile, _ records: DatabaseKeyRecords?
  ) throws -> AtRestError {
    let path = opening.url.path
    if let other = try OtherFormat(opening, file, nil).headerError() { return other }
    if let plain = DatabaseRefusal.plaintext(file) { return plain }
    // The rest of the file tells whether its beginning was changed.
    if file.format.authentication != nil {
      for record in records?.all ?? []
      where file.hasAuthenticPage(try record.cipher(in: file.format)) {
        return damaged("The salt at the beginning of the database \(path) is damaged.")
      }
    }
    return AtRestError(
      .authenticationFailed, "\(opening.key.owner) has no key for the database \(path).",
      remedy:
        "Name the item or key file that it was made with. If the file was copied before a rekey, only a "
        + "copy of the item or key file from that time opens it. If the item was restored from an older backup, only a newer backup has the "
        + "key. Nothing was modified.")
  }
}
