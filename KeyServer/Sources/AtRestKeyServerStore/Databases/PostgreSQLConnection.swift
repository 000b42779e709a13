import AtRestCrypto
import CPostgreSQL
import Foundation

/// A blocking connection to PostgreSQL through libpq. Parameters and results are binary.
final class PostgreSQLConnection: DatabaseConnection {
  private let connection: OpaquePointer
  private var prepared: [String: String] = [:]

  let lockClause = " FOR UPDATE"

  /// Connects.
  ///
  /// - Parameter settings: A connection string of libpq, such as `host=/run/postgresql dbname=keys`.
  /// A server that is reached over the network has to show a certificate for its name, unless the settings say
  /// otherwise with `sslmode`.
  init(_ settings: String) throws {
    if let problem = atrest_load_libpq() {
      throw AtRestError(
        .system,
        "PostgreSQL needs the library libpq, which cannot be loaded: \(Self.text(problem)).",
        remedy: "Install it (libpq5 on Debian), or use an embedded database.")
    }
    _ = Self.requiresCertificates
    guard let connection = PQconnectdb(settings) else {
      throw DatabaseError(kind: .offline, message: "There is not enough memory.")
    }
    self.connection = connection
    guard PQstatus(connection) == CONNECTION_OK else {
      // The properties have values, so `deinit` runs and closes the connection.
      throw DatabaseError(kind: .offline, message: Self.text(PQerrorMessage(connection)))
    }
    _ = PQsetErrorVerbosity(connection, PQERRORS_TERSE)
    // A count is answered only when the standbys that the operator named have it too, so that a
    // fail-over gives no attempts back. Without standbys this means the local disk.
    for statement in [
      "SET synchronous_commit = remote_apply", "SET lock_timeout = '10s'",
      "SET idle_in_transaction_session_timeout = '30s'", "SET client_min_messages = warning",
    ] {
      PQclear(try check(PQexec(connection, statement)))
    }
  }

  private static let requiresCertificates = setenv("PGSSLMODE", "verify-full", 0) == 0

  deinit { PQfinish(connection) }

  var isUsable: Bool { PQstatus(connection) == CONNECTION_OK }

  let begin = Statement("BEGIN")
  let beginSnapshot = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  // The statements after one that fails do not run, so this one fails if the lock is not free. It has a
  // parameter, so it is prepared.
  let sharedFence: Statement? = Statement(
    "SELECT 1 / pg_try_advisory_xact_lock_shared(\(PostgreSQLConnection.lock))::INT::BIGINT",
    [.integer(PostgreSQLConnection.lockNumber)])
  let exclusiveFence: Statement? = Statement(
    "SELECT 1::BIGINT FROM pg_advisory_xact_lock(\(PostgreSQLConnection.lock))",
    [.integer(PostgreSQLConnection.lockNumber)])
  /// The two numbers of the lock. Each schema has its own.
  private static let lock = "$1::BIGINT::INT, hashtext(current_schema())"
  private static let lockNumber: Int64 = 471_125_001
  func rollback() { _ = try? run("ROLLBACK") }

  func run(_ statements: [Statement]) throws -> [[[DatabaseValue]]] {
    // What is prepared is prepared before, because its errors must not end a pipeline.
    for statement in statements where !statement.values.isEmpty { _ = try prepare(statement) }
    guard statements.count > 1 else {
      for statement in statements { try require(send(statement)) }
      return try statements.map { _ in try results() }
    }
    try require(PQenterPipelineMode(connection))
    defer { PQexitPipelineMode(connection) }
    for statement in statements { try require(send(statement)) }
    try require(PQpipelineSync(connection))
    var outcomes: [Result<[[DatabaseValue]], any Error>] = []
    for _ in statements { outcomes.append(Result { try results() }) }
    // The end of the pipeline.
    PQclear(PQgetResult(connection))
    return try outcomes.map { try $0.get() }
  }

  /// Sends a statement without waiting for its result.
  private func send(_ statement: Statement) throws -> Int32 {
    let values = statement.values
    if values.isEmpty {
      return PQsendQueryParams(connection, statement.sql, 0, nil, nil, nil, nil, 1)
    }
    let name = try prepare(statement)
    // Integers are sent as 8 bytes, big-endian.
    let buffers = values.map { value -> [UInt8] in
      switch value {
      case .integer(let number): withUnsafeBytes(of: number.bigEndian) { Array($0) }
      // libpq takes a null pointer for NULL, so even an empty value needs an address.
      case .bytes(let data): data.isEmpty ? [0] : Array(data)
      }
    }
    let lengths = values.map { value -> Int32 in
      switch value {
      case .integer: 8
      case .bytes(let data): Int32(data.count)
      }
    }
    let formats = [Int32](repeating: 1, count: values.count)
    return Self.withPointers(buffers) { pointers in
      PQsendQueryPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 1)
    }
  }

  /// Waits for the results of the statement that was sent first, and returns the rows.
  private func results() throws -> [[DatabaseValue]] {
    let first = PQgetResult(connection)
    while let further = PQgetResult(connection) { PQclear(further) }
    return try rows(check(first))
  }

  private func require(_ status: Int32) throws {
    guard status == 1 else {
      throw DatabaseError(
        kind: isUsable ? .other : .offline, message: Self.text(PQerrorMessage(connection)))
    }
  }

  private static func withPointers<Result>(
    _ buffers: [[UInt8]], _ body: ([UnsafePointer<CChar>?]) throws -> Result
  ) rethrows -> Result {
    let joined = buffers.flatMap(\.self)
    return try joined.withUnsafeBytes { bytes in
      var offset = 0
      let pointers = buffers.map { buffer -> UnsafePointer<CChar>? in
        defer { offset += buffer.count }
        return bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
      }
      return try body(pointers)
    }
  }

  private func prepare(_ statement: Statement) throws -> String {
    if let name = prepared[statement.sql] { return name }
    let name = "s\(prepared.count)"
    let count = Int32(statement.values.count)
    PQclear(try check(PQprepare(connection, name, statement.sql, count, nil)))
    prepared[statement.sql] = name
    return name
  }

  /// Returns a result that succeeded, or throws.
  private func check(_ result: OpaquePointer?) throws -> OpaquePointer {
    let status = PQresultStatus(result)
    if let result, status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return result }
    let message = Self.text(PQerrorMessage(connection))
    let state = Self.text(PQresultErrorField(result, Int32(UInt8(ascii: "C"))))
    PQclear(result)
    let kind: DatabaseError.Kind =
      switch state {
      case "40001", "40P01", "55P03": .collision
      // The division by zero of `sharedFence`.
      case "22012": .rotating
      // The server is starting, stopping or a standby.
      case "57P01", "57P02", "57P03", "25006": .offline
      default: isUsable ? .other : .offline
      }
    throw DatabaseError(kind: kind, message: message)
  }

  private func rows(_ result: OpaquePointer) throws -> [[DatabaseValue]] {
    defer { PQclear(result) }
    let columns = PQnfields(result)
    return try (0..<PQntuples(result)).map { row in
      try (0..<columns).map { column in
        let count = Int(PQgetlength(result, row, column))
        let bytes = UnsafeRawBufferPointer(start: PQgetvalue(result, row, column), count: count)
        switch PQftype(result, column) {
        case 17: return .bytes(Data(bytes))  // bytea
        case 20:  // int8
          return .integer(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
        default:
          throw DatabaseError(kind: .other, message: "A column has an unexpected type.")
        }
      }
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
  }
}
