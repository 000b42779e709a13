import AtRestCrypto
import Foundation
import GRDB

extension EncryptedDatabase {
  /// Checks every page of a database, also those that are not in use, and then its contents.
  ///
  /// In AtRest's format, the check finds that an older version of a page was put back; in SQLCipher's
  /// formats it does not. It reads the whole file, while other connections may read and write.
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
      pageCount: count, damagedPages: damaged, problems: problems == ["ok"] ? [] : problems,
      isCurrent: try (cipher as? AtRestPageCipher).map { try isCurrent(checked, $0) } ?? true)
  }

  /// Accepts a database in AtRest's format as it is now: one that was restored from a backup, or whose
  /// state file or log is lost.
  ///
  /// Call it only when you know why the database is an older one. Every page must be authentic. A log that
  /// does not belong to the database gets the suffix `-refused`, and its transactions are left out. No
  /// other connection may be open.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if a page is damaged; ``AtRestError/Code/busy`` if another
  ///   connection is open; the errors of `open(at:key:format:configuration:)`.
  public static func acceptOlder(at url: URL, key: DatabaseKey) throws {
    guard try DatabaseFile.exists(url) else {
      throw AtRestError(
        .notFound, "There is no database \(url.path).", remedy: "Check the name of the file.")
    }
    try DatabaseAcceptance(try DatabaseOpening(url, key, .atrest)).run()
  }

  /// Returns true if the pages of a database are those that its state describes.
  private static func isCurrent(_ file: DatabaseFile, _ cipher: AtRestPageCipher) throws -> Bool {
    let states = StateFile(of: file.url, cipher: cipher)
    let hasher = PageHasher(cipher)
    let size = cipher.format.pageSize
    for _ in 0..<5 {
      let state = try states.read().state
      var leftOut: Set<UInt32> = [DatabaseFormat.locksPage(pageSize: size)]
      if state.isCheckpointing {
        leftOut.formUnion(LogFile(of: file.url, pageSize: size).pages(count: Int(state.frameCount)))
      }
      var hash = PageSetHash()
      for page in 1...max(1, state.pageCount) where !leftOut.contains(page) {
        let end = Int(page) * size
        guard
          let reserve = file.bytes(at: end - PageHasher.reserveSize, count: PageHasher.reserveSize)
        else { break }
        reserve.withUnsafeBytes { hash.add(hasher.hash(of: page, reserve: $0)) }
      }
      // A checkpoint may have written pages meanwhile.
      if try states.read().state == state { return hash == state.hash }
    }
    throw AtRestError(
      .busy, "The database \(file.url.path) was written all the time.",
      remedy: "Verify it again when it is less in use.")
  }
}
