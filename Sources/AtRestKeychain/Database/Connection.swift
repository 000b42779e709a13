import AtRestKeybag
import CAtRestSQLite
import Foundation

/// An open SQLite database with a lock that one thread holds at a time.
///
/// The type uses SQLite's C interface, because the queue and closures of a wrapper library took a
/// sixth of the time of a read (`docs/Dependencies.md`). Call all methods except
/// ``exclusively(_:)`` only while holding the lock; this makes the type `Sendable`.
final class Connection: @unchecked Sendable {
  /// The time in milliseconds after which waiting for another process ends with `SQLITE_BUSY`.
  private static let busyTimeout: Int32 = 30_000

  private let lock = NSRecursiveLock()
  private var depth = 0
  private(set) var handle: OpaquePointer?

  /// Opens a database.
  ///
  /// - Parameter path: The file, which must exist, or `:memory:` for a database that lives as long as the
  ///   connection.
  init(path: String) throws {
    let code = SystemPath.with(path) {
      // atrest:ignore plaintext-sqlite every row is sealed under its class key
      sqlite3_open_v2($0, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    }
    // SQLite returns a handle even if it could not open the file. deinit closes the handle, because
    // it also runs after a throw.
    guard code == SQLITE_OK, let handle else { throw SQLiteError(code: code) }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Self.busyTimeout)
    try KeychainSchema.prepare(self, handle)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs a closure with the lock held. The closure may call this method again.
  func exclusively<Result: ~Copyable>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    depth += 1
    defer {
      depth -= 1
      lock.unlock()
    }
    return try body()
  }

  /// True if the thread that holds the lock has taken it more than once.
  var isNested: Bool { depth > 1 }

  /// True from the beginning of a transaction to its end.
  var hasTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Closes the database. A remaining statement keeps the database open until the statement is
  /// released.
  func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Runs one or several statements that return no rows.
  func execute(_ sql: String) throws {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }

  /// Copies the journal into the database and truncates the journal.
  func truncateJournal() throws {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }

  /// A number that changes with every commit, by this connection or another.
  ///
  /// The number belongs to the last snapshot, so read it inside a transaction or after a commit.
  var dataVersion: UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
