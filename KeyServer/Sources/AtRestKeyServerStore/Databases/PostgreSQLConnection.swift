import AtRestCrypto
import CPostgreSQL
import Foundation

/// A blocking connection to PostgreSQL through libpq. Parameters and results are binary.
///
/// An answer that does not come in time ends the connection. Otherwise a network that loses packets, or a primary
/// that waits for standbys which are gone, would hold a thread for hours.
final class PostgreSQLConnection: DatabaseConnection {
  private let connection: OpaquePointer
  private let answerTime: Duration
  private var prepared: [String: String] = [:]
  private var isLate = false
  /// True if PostgreSQL sent a warning with the answers to the last statements.
  private var isWarned = false

  let lockClause = " FOR UPDATE"

  /// Connects.
  ///
  /// - Parameters:
  ///   - settings: A connection string of libpq, such as `host=/run/postgresql dbname=keys`. A server that is
  ///     reached over the network has to show a certificate for its name, unless the settings say otherwise
  ///     with `sslmode`.
  ///   - answerTime: The time in which PostgreSQL has to answer.
  init(_ settings: String, answerTime: Duration) throws {
    if let problem = atrest_load_libpq() {
      throw AtRestError(
        .system,
        "PostgreSQL needs the library libpq, which cannot be loaded: \(Self.text(problem)).",
        remedy: "Install it (libpq5 on Debian), or use an embedded database.")
    }
    _ = Self.environment
    guard let connection = PQconnectdb(settings) else {
      throw DatabaseError(kind: .offline, message: "There is not enough memory.")
    }
    self.connection = connection
    self.answerTime = answerTime
    guard PQstatus(connection) == CONNECTION_OK else {
      // The properties have values, so `deinit` runs and closes the connection.
      throw DatabaseError(kind: .offline, message: Self.text(PQerrorMessage(connection)))
    }
    _ = PQsetErrorVerbosity(connection, PQERRORS_TERSE)
    PQsetNoticeReceiver(
      connection,
      { argument, _ in
        guard let argument else { return }
        Unmanaged<PostgreSQLConnection>.fromOpaque(argument).takeUnretainedValue().isWarned = true
      }, Unmanaged.passUnretained(self).toOpaque())
    // A count is answered only when the standbys that the operator named have it too, so that a
    // fail-over gives no attempts back. Without standbys this means the local disk. A role's limit for
    // statements would end the wait for them.
    let time = answerTime / .milliseconds(1)
    for statement in [
      "SET synchronous_commit = remote_apply", "SET statement_timeout = 0",
      "SET lock_timeout = \(max(1, Int(time * 2 / 3)))",
      "SET idle_in_transaction_session_timeout = \(max(1, Int(time * 2)))",
      "SET client_min_messages = warning",
    ] {
      _ = try run(statement)
    }
  }

  /// The defaults of libpq that are not right here. The settings and the operator's environment come first.
  private static let environment =
    setenv("PGSSLMODE", "verify-full", 0) == 0 && setenv("PGCONNECT_TIMEOUT", "5", 0) == 0

  deinit { PQfinish(connection) }

  var isUsable: Bool { !isLate && PQstatus(connection) == CONNECTION_OK }

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
    PQclear(try nextResult())
    return try outcomes.map { try $0.get() }
  }

  /// Commits. If PostgreSQL warns, the commit is not known to be on the standbys: somebody cancelled the wait for
  /// them, and a fail-over could undo it.
  func commit(_ last: [Statement]) throws {
    isWarned = false
    _ = try run(last + [Statement("COMMIT")])
    guard !isWarned else {
      throw DatabaseError(
        kind: .offline,
        message: "The commit was answered with a warning: it may not be on the standbys.")
    }
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
    let first = try nextResult()
    while let further = try nextResult() { PQclear(further) }
    return try rows(check(first))
  }

  /// Waits for a result, but no longer than PostgreSQL may take to answer.
  private func nextResult() throws -> OpaquePointer? {
    let end = ContinuousClock.now + answerTime
    while PQisBusy(connection) != 0 {
      let left = (end - .now) / .milliseconds(1)
      var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
      guard left > 0, !isLate else {
        isLate = true
        throw DatabaseError(kind: .offline, message: "It did not answer in time.")
      }
      guard poll(&descriptor, 1, Int32(left.rounded(.up))) > 0 else { continue }
      // If the connection was lost, the next result says so.
      if PQconsumeInput(connection) == 0 { break }
    }
    return PQgetResult(connection)
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
    try require(
      PQsendPrepare(connection, name, statement.sql, Int32(statement.values.count), nil))
    _ = try results()
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
      // The server is starting, stopping or a standby, or ended a transaction that stood still for too long.
      case "57P01", "57P02", "57P03", "25006", "25P03": .offline
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
