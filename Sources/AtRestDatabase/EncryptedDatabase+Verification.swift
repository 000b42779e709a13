import AtRestCrypto
import Foundation
import GRDB

extension EncryptedDatabase {
  /// Checks every page of a database, also those that are not in use, and then its contents.
  ///
  /// The check does not find that an older version of a page was put back. It reads the whole file, while
  /// other connections may read and write.
  ///
  /// - Parameter configuration: GRDB's configuration. If the database uses collations or functions of the
  ///   application, add them in its `prepareDatabase`: SQLite cannot check the contents without them.
  /// - Throws: The errors of `open(at:key:format:creating:configuration:)`, among them
  ///   ``AtRestError/Code/damaged`` if page 1 is damaged or the file was cut off.
  public static func verify(
    at url: URL, key: DatabaseKey, format: DatabaseFormat = .sqlcipher4,
    configuration: Configuration = Configuration()
  ) throws -> DatabaseVerification {
    let opening = try DatabaseOpening(url, key, format)
    return try opening.open(configuration) { path, configuration, cipher in
      var (problems, reason): ([String], String?) = ([], nil)
      // atrest:ignore grdb-unencrypted the VFS in the path encrypts the file
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      // A page that a crash tore while it was copied from the log is whole in the log.
      if !configuration.readonly {
        _ = try? queue.writeWithoutTransaction { try $0.checkpoint(.passive) }
      }
      do {
        problems = try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        reason = error.message ?? "\(error.resultCode)"
      } catch let error as DatabaseError
        where [.SQLITE_CORRUPT, .SQLITE_IOERR].contains(error.resultCode)
      {
        problems = [error.words]
      }
      let (count, damaged) = try queue.read { db in
        // The transaction begins here. If page 1 is damaged, the check goes on without it.
        do {
          _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
        } catch let error as DatabaseError
          where [.SQLITE_CORRUPT, .SQLITE_IOERR].contains(error.resultCode)
        {}
        return try checkedPages(of: opening.url, format, cipher)
      }
      try queue.close()
      return DatabaseVerification(
        pageCount: count, damagedPages: damaged, problems: problems == ["ok"] ? [] : problems,
        uncheckedReason: reason)
    }
  }

  /// Returns the number of pages, and the numbers of those that are not authentic.
  private static func checkedPages(
    of url: URL, _ format: DatabaseFormat, _ cipher: PageCipher
  ) throws -> (count: Int, damaged: [Int]) {
    let file = try DatabaseFile(url, format: format)
    // A page at the end that is not whole is damaged too.
    let isCut = file.endsWithinPage(of: format.pageSize)
    let count = file.pageCount(of: format.pageSize) + (isCut ? 1 : 0)
    // SQLite never writes the page with its locks.
    let locks = Int(DatabaseFormat.locksPage(pageSize: format.pageSize))
    // SQLCipher leaves free pages that have only zeros.
    lazy var leaves =
      (try? DatabaseTranscription(file, under: cipher, usesLog: false).freeLeaves()) ?? []
    let damaged = (1...max(1, count)).filter { page in
      guard page != locks else { return false }
      // Another connection may be copying the page from the log into the file, or have made the file smaller.
      for attempt in 0..<3 {
        if attempt > 0 { usleep(1_000) }
        if file.isAuthentic(UInt32(page), cipher) { return false }
        let (present, end) = (file.presentSize, page * format.pageSize)
        if page > 1, present <= end - format.pageSize { return false }
        // It was not whole yet.
        if end > file.size, present >= end { return false }
      }
      let bytes = file.bytes(at: (page - 1) * format.pageSize, count: format.pageSize)
      return !(bytes.map(DatabaseTranscription.isBlank) ?? false && leaves.contains(UInt32(page)))
    }
    return (count, damaged)
  }
}
