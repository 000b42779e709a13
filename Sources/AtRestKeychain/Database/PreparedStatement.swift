import AtRestCrypto
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement that is bound, stepped and read without copies where copies can be spared.
///
/// Used on the database's queue alone.
final class PreparedStatement {
  private let statement: Statement
  private let raw: SQLiteStatement
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ database: Database, _ sql: String) throws {
    statement = try database.makeStatement(sql: sql)
    raw = statement.sqliteStatement
  }

  /// Runs the statement with values, and calls a closure for each row until it returns false.
  func run(_ values: Value..., row: (PreparedStatement) throws -> Bool = { _ in true }) throws {
    defer { reset() }
    try bind(values)
    while try step() {
      if try !row(self) { return }
    }
  }

  enum Value {
    case integer(Int64)
    case blob(Data)
    case null
  }

  func bind(_ values: [Value]) throws {
    for (offset, value) in values.enumerated() { try bind(Int32(offset + 1), value) }
  }

  /// Binds one value; the first index is 1.
  func bind(_ index: Int32, _ value: Value) throws {
    let code: Int32 =
      switch value {
      case .integer(let number): sqlite3_bind_int64(raw, index, number)
      case .blob(let data):
        data.withUnsafeBytes {
          // A nil pointer would bind NULL.
          sqlite3_bind_blob64(
            raw, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
            sqlite3_uint64($0.count), Self.transient)
        }
      case .null: sqlite3_bind_null(raw, index)
      }
    guard code == SQLITE_OK else { throw error(code) }
  }

  func step() throws -> Bool {
    let code = sqlite3_step(raw)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw error(code)
    }
  }

  func reset() {
    sqlite3_reset(raw)
    sqlite3_clear_bindings(raw)
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(raw, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(raw, column) == SQLITE_NULL }

  /// Bytes that live until the next step or reset.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(raw, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(raw, column)))
  }

  func data(_ column: Int32) -> Data { Data(bytes(column)) }

  private func error(_ code: Int32) -> DatabaseError {
    DatabaseError(resultCode: ResultCode(rawValue: code))
  }
}

extension AtRestError {
  /// Turns an error of SQLite into one that says what to do; it carries no SQL and no values.
  static func from(_ error: any Error, path: String) -> AtRestError {
    if let known = error as? AtRestError { return known }
    // GRDB's own table of migrations holds something else than it wrote.
    if error is RowDecodingError { return damaged("The keychain \(path) is damaged.") }
    guard let error = error as? DatabaseError else {
      return AtRestError(
        .system, "The keychain \(path) could not be used.", remedy: "See the cause.",
        cause: error)
    }
    let cause = "SQLite: \(String(cString: sqlite3_errstr(error.resultCode.rawValue)))"
    switch error.resultCode.primaryResultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_SCHEMA, .SQLITE_ERROR,
      .SQLITE_CONSTRAINT, .SQLITE_FORMAT, .SQLITE_RANGE, .SQLITE_TOOBIG, .SQLITE_EMPTY:
      return damaged("The keychain \(path) is damaged (\(cause)).")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return AtRestError(
        .busy, "The keychain \(path) was in use by others for too long (\(cause)).",
        remedy: "Try again.")
    default:
      return AtRestError(
        .system, "The keychain \(path) could not be read or written (\(cause)).",
        remedy: "Check the permissions and the free space of its disk.")
    }
  }
}
