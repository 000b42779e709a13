import AtRestCrypto
import Foundation
import GRDB

extension EncryptedDatabase {
  /// Checks every page of a database, also those that are not in use, and then its contents.
  ///
  /// The check does not find that an older version of a page was put back. It reads the whole file, while
  /// other connections may read and write.
  ///
  /// - Throws: The errors of `open(at:key:format:configuration:)`, among them
  ///   ``AtRestError/Code/damaged`` if page 1 is damaged.
  public static func verify(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4
  ) throws -> DatabaseVerification {
    let file = try DatabaseFile(url, format: format)
    guard !file.isEmpty else {
      throw AtRestError(
        .notFound, "There is no database \(url.path).", remedy: "Check the name of the file.")
    }
    let opening = try DatabaseOpening(url, key, format)
    let problems = try opening.open(Configuration()) { path, configuration in
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      do {
        return try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
      } catch let error as DatabaseError {
        return ["SQLite: \(error.extendedResultCode)"]
      }
    }
    let checked = try DatabaseFile(url, format: format)
    let cipher = try opening.cipher(of: checked)
    let size = checked.format.pageSize
    let count = checked.pageCount(of: size)
    // SQLite never writes the page with its locks.
    let locks = Int(DatabaseFormat.locksPage(pageSize: size))
    let damaged = (1...max(1, count)).filter { page in
      guard page != locks else { return false }
      // Another connection may be writing the page.
      return !(0..<3).contains { _ in checked.isAuthentic(UInt32(page), cipher) }
    }
    return DatabaseVerification(
      pageCount: count, damagedPages: damaged, problems: problems == ["ok"] ? [] : problems)
  }
}
