import CAtRestSQLite
import Foundation

/// A prepared statement, which is bound, stepped and read with as few copies as possible.
///
/// Use it only while holding the connection's lock.
final class PreparedStatement {
  private let statement: OpaquePointer
  // This reference keeps the connection alive for as long as the statement exists.
  private let connection: Connection
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ connection: Connection, _ sql: String) throws {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw SQLiteError(code: code) }
    statement = prepared
    self.connection = connection
  }

  deinit { sqlite3_finalize(statement) }

  /// Runs the statement with values, and calls a closure for each row until it returns false.
  func run(_ values: Value..., row: (PreparedStatement) throws -> Bool = { _ in true }) throws {
    defer { reset() }
    for (offset, value) in values.enumerated() { try bind(Int32(offset + 1), value) }
    while try step() {
      if try !row(self) { return }
    }
  }

  enum Value {
    case integer(Int64)
    case blob(Data)
    case null
  }

  /// Binds one value. The first index is 1.
  func bind(_ index: Int32, _ value: Value) throws {
    switch value {
    case .integer(let number): try bind(index, number)
    case .blob(let data): try data.withUnsafeBytes { try bind(index, $0) }
    case .null: try check(sqlite3_bind_null(statement, index))
    }
  }

  /// Binds a number. The first index is 1.
  func bind(_ index: Int32, _ number: Int64) throws {
    try check(sqlite3_bind_int64(statement, index, number))
  }

  /// Binds a copy of bytes. The first index is 1.
  func bind(_ index: Int32, _ bytes: UnsafeRawBufferPointer) throws {
    // The pointer of an empty buffer may be nil, which would bind NULL.
    try check(
      sqlite3_bind_blob64(
        statement, index, bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1),
        sqlite3_uint64(bytes.count), Self.transient))
  }

  /// Advances to the next row.
  ///
  /// - Returns: True if there is a row.
  func step() throws -> Bool {
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else { throw SQLiteError(code: code) }
    return false
  }

  func reset() {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

  /// Returns the bytes of a column, which are valid until the next step or reset.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  func data(_ column: Int32) -> Data { Data(bytes(column)) }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }
}
