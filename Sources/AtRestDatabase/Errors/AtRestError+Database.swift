import AtRestCrypto
import Foundation
import GRDB

extension AtRestError {
  /// Converts an error of SQLite while a database is opened or read. The result contains no SQL and
  /// no values.
  static func from(
    _ error: any Error, opening: DatabaseOpening, cipher: PageCipher
  ) -> AtRestError {
    if let known = error as? AtRestError { return known }
    let path = opening.url.path
    guard let error = error as? DatabaseError else {
      return AtRestError(
        .system, "The database \(path) could not be used.", remedy: "See the cause.", cause: error)
    }
    let cause = "SQLite: \(error.resultCode)"
    switch (error.resultCode, error.extendedResultCode) {
    case (.SQLITE_NOTADB, _), (.SQLITE_CORRUPT, _), (_, .SQLITE_IOERR_DATA):
      return (try? refusal(of: opening, cipher: cipher))
        ?? damaged("The database \(path) is damaged (\(cause)).")
    case (.SQLITE_BUSY, _), (.SQLITE_LOCKED, _):
      return AtRestError(
        .busy, "The database \(path) was in use by another connection for too long (\(cause)).",
        remedy: "Try again.")
    case (_, .SQLITE_READONLY_DBMOVED):
      return AtRestError(
        .busy, "The database \(path) was replaced or removed while it was opened (\(cause)).",
        remedy: "Open it again.")
    case (.SQLITE_PERM, _), (.SQLITE_READONLY, _), (.SQLITE_AUTH, _):
      return AtRestError(
        .notPermitted, "The database \(path) may not be written (\(cause)).",
        remedy: "Check its permissions, or open it for reading only.")
    default:
      return AtRestError(
        .system, "The database \(path) could not be opened (\(cause)).",
        remedy: "Check the folder, its permissions and the free space of its disk.")
    }
  }

  /// Finds out why no page, or not every page, is authentic.
  private static func refusal(
    of opening: DatabaseOpening, cipher: PageCipher
  ) throws -> AtRestError {
    let path = opening.url.path
    let format = opening.format
    let file = try DatabaseFile(opening.url, format: format)
    if file.isPlaintext, !format.hasPlaintextHeader || !file.hasAuthenticPage(cipher) {
      return AtRestError(
        .notProtected, "The database \(path) is not encrypted, or its header is in plaintext.",
        remedy: "Import it with `EncryptedDatabase.importPlaintext`, or name its format.")
    }
    if file.isAuthentic(1, cipher) {
      let page = cipher.refusedPage.map { "Page \($0) of the" } ?? "The"
      return damaged("\(page) database \(path) is damaged.")
    }
    if format.authentication != nil, file.hasAuthenticPage(cipher) {
      return damaged("Page 1 of the database \(path) is damaged.")
    }
    if let other = try otherFormat(of: file, opening, cipher) { return other }
    guard file.pageCount(of: format.pageSize) > 0 else {
      return damaged("The database \(path) is shorter than a page.")
    }
    return AtRestError(
      .authenticationFailed, "The key does not open the database \(path).",
      remedy:
        "Check the key or the passphrase. If they are right, the salt at the beginning of the "
        + "file is damaged: restore it from a backup. Nothing was modified.")
  }

  /// Tries the other page sizes and versions.
  private static func otherFormat(
    of file: DatabaseFile, _ opening: DatabaseOpening, _ cipher: PageCipher
  ) throws -> AtRestError? {
    guard let salt = file.salt else { return nil }
    let path = opening.url.path
    // The key of the present format is known, and PBKDF2 takes long.
    let present = opening.format
    let others = [
      DatabaseFormat.sqlcipher4, .sqlcipher3, .sqlcipher2, .sqlcipher2BigEndian, .sqlcipher2Beta,
    ].filter {
      var other = $0
      other.pageSize = present.pageSize
      return other != present
    }
    for version in [present] + others {
      var format = version
      let ciphers =
        version == present
        ? [cipher] : try opening.key.ciphers(for: version, salt: salt, isNew: false)
      for cipher in ciphers {
        for size in DatabaseFormat.pageSizes {
          format.pageSize = size
          guard format != opening.format,
            file.isAuthentic(1, cipher.withPages(of: format))
          else { continue }
          return AtRestError.invalid(
            "The database \(path) is in the format of \(format.name) with pages of \(size) bytes.",
            remedy: "Open it in this format.")
        }
      }
    }
    return nil
  }
}
