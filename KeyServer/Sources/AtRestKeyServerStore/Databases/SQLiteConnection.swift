import AtRestCrypto
import CSQLite
import Foundation

/// A connection to an SQLite file, for the embedded mode.
final class SQLiteConnection: DatabaseConnection {
  private let handle: OpaquePointer
  private var prepared: [String: OpaquePointer] = [:]

  let lockClause = ""
  let isUsable = true

  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    // atrest:ignore plaintext-sqlite every row is sealed under the server key
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
      sqlite3_close_v2(handle)
      throw DatabaseError(kind: .offline, message: "\(path): \(message)")
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, 10_000)
    for statement in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
      _ = try run(statement, [])
    }
  }

  deinit {
    prepared.values.forEach { sqlite3_finalize($0) }
    sqlite3_close_v2(handle)
  }

  let begin = Statement("BEGIN IMMEDIATE")
  let beginSnapshot = Statement("BEGIN")
  let sharedFence: Statement? = nil
  let exclusiveFence: Statement? = nil
  func rollback() { _ = try? run("ROLLBACK") }

  func run(_ statements: [Statement]) throws -> [[[DatabaseValue]]] {
    try statements.map { try step($0.sql, $0.values) }
  }

  private func step(_ sql: String, _ values: [DatabaseValue]) throws -> [[DatabaseValue]] {
    let statement = try prepare(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let position = Int32(index + 1)
      let status =
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, position, number)
        case .bytes(let data):
          data.withUnsafeBytes { bytes in
            bytes.isEmpty
              ? sqlite3_bind_zeroblob(statement, position, 0)
              : sqlite3_bind_blob(
                statement, position, bytes.baseAddress, Int32(bytes.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self))
          }
        }
      guard status == SQLITE_OK else { throw error(status) }
    }
    var rows: [[DatabaseValue]] = []
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return rows }
      guard status == SQLITE_ROW else { throw error(status) }
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          guard sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return .integer(sqlite3_column_int64(statement, column))
          }
          let count = Int(sqlite3_column_bytes(statement, column))
          return .bytes(
            sqlite3_column_blob(statement, column).map { Data(bytes: $0, count: count) } ?? Data())
        })
    }
  }

  private func prepare(_ sql: String) throws -> OpaquePointer {
    if let statement = prepared[sql] { return statement }
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard status == SQLITE_OK, let statement else { throw error(status) }
    prepared[sql] = statement
    return statement
  }

  private func error(_ status: Int32) -> DatabaseError {
    let kind: DatabaseError.Kind =
      switch status & 0xFF {
      case SQLITE_BUSY, SQLITE_LOCKED: .collision
      case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_FULL, SQLITE_READONLY: .offline
      default: .other
      }
    return DatabaseError(kind: kind, message: String(cString: sqlite3_errmsg(handle)))
  }
}
