@_spi(Tools) import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Glibc
import Synchronization

/// A new database for one test.
struct TestDatabase: Sendable {
  /// The databases that the tests run on.
  enum Kind: String, Sendable, CaseIterable {
    case embedded, postgreSQL
  }

  /// Those databases that are installed. `PostgreSQLTests` says when PostgreSQL is not.
  static let kinds: [Kind] =
    PostgreSQLServer.programs == nil ? [.embedded] : [.embedded, .postgreSQL]

  let kind: Kind
  let place: Database.Place
  let serverKey: Data
  private let file: TemporaryFile?
  private let schema: String?

  /// - Parameter logsStatements: True if ``statements()`` is used.
  init(_ kind: Kind, logsStatements: Bool = false) throws {
    self.kind = kind
    serverKey = RandomBytes.data(count: 32)
    switch kind {
    case .embedded:
      let file = TemporaryFile()
      self.file = file
      schema = nil
      Self.keep(file)
      place = .embedded(path: file.path)
    case .postgreSQL:
      file = nil
      let server = try PostgreSQLServer.shared.get()
      let schema = "t\(UInt64.random(in: 0 ... .max))"
      self.schema = schema
      try server.psql("CREATE SCHEMA \(schema)")
      place = .postgreSQL(
        server.connection(schema: schema, logsStatements: logsStatements))
    }
  }

  /// The database of a server that the test has for itself.
  init(on server: PostgreSQLServer, serverKey: Data = RandomBytes.data(count: 32)) throws {
    kind = .postgreSQL
    self.serverKey = serverKey
    file = nil
    schema = nil
    place = .postgreSQL(server.connection())
  }

  /// Refers to a database of PostgreSQL that a test made itself.
  init(connection: String) {
    kind = .postgreSQL
    serverKey = RandomBytes.data(count: 32)
    file = nil
    schema = nil
    place = .postgreSQL(connection)
  }

  private static let files = Mutex<[TemporaryFile]>([])

  /// Keeps a file until the process ends, because a store may outlive its `TestDatabase` and open
  /// further connections.
  private static func keep(_ file: TemporaryFile) {
    let isFirst = files.withLock { files in
      files.append(file)
      return files.count == 1
    }
    if isFirst { atexit { TestDatabase.files.withLock { $0.removeAll() } } }
  }

  /// The connection string of a PostgreSQL database.
  var connectionString: String? {
    if case .postgreSQL(let settings) = place { settings } else { nil }
  }

  /// Runs SQL on a PostgreSQL database as somebody with access to it can, and returns what `psql`
  /// prints.
  @discardableResult
  func psql(_ sql: String) throws -> String {
    let (status, text) = try ChildProcess.run([
      "\(PostgreSQLServer.programs ?? "")/psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1",
      "-d", connectionString ?? "", "-c", sql,
    ])
    struct Failure: Error, CustomStringConvertible { let description: String }
    guard status == 0 else { throw Failure(description: text) }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The bytes of the database, as a thief of its file or of a dump has them.
  func rows() throws -> Data {
    switch place {
    case .embedded(let path):
      return try ["", "-wal"].reduce(into: Data()) {
        $0 += try Data(contentsOf: URL(fileURLWithPath: path + $1))
      }
    case .postgreSQL:
      let tables = ["state", "accounts", "attempts", "codes", "devices", "keys", "audit"]
      let rows = tables.map {
        "SELECT encode(id || owner || sealed, 'hex') FROM keyserver_\($0)"
      }
      let text = try psql(rows.joined(separator: " UNION ALL "))
      return text.split(separator: "\n").reduce(into: Data()) {
        $0 += Data(hexadecimal: $1) ?? Data()
      }
    }
  }

  /// The number of connections to a PostgreSQL database. A connection of a process that was killed
  /// remains until the server has finished what it was asked for.
  func connectionCount() throws -> Int {
    guard let schema else { return 0 }
    let count = try PostgreSQLServer.shared.get().psql(
      "SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(schema)'")
    return Int(count.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
  }

  private init(copyOf path: String, serverKey: Data) throws {
    kind = .embedded
    self.serverKey = serverKey
    let file = TemporaryFile()
    self.file = file
    schema = nil
    Self.keep(file)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: file.path + suffix)
    }
    place = .embedded(path: file.path)
  }

  /// Copies an embedded database that nobody writes to, as a backup does.
  func backup() throws -> TestDatabase {
    guard case .embedded(let path) = place else { preconditionFailure("not embedded") }
    return try TestDatabase(copyOf: path, serverKey: serverKey)
  }

  /// The statements that PostgreSQL executed, without values, the oldest first.
  func statements() throws -> [String] {
    guard let schema else { return [] }
    return try PostgreSQLServer.shared.get().statements(of: schema)
  }

  /// Opens a store with its own connections.
  func store(
    rules: AttemptRules = .standard, clock: TestClock? = nil, serverKey: Data? = nil,
    nextServerKey: Data? = nil, keepsLedger: Bool = true
  ) throws -> KeyServerStore {
    let clock = clock ?? TestClock()
    return try KeyServerStore(
      Database(place), serverKey: SecretBytes(serverKey ?? self.serverKey),
      nextServerKey: nextServerKey.map { SecretHolder(SecretBytes($0)) }, keepsLedger: keepsLedger,
      rules: rules, clock: { clock.milliseconds }, steadyClock: { clock.milliseconds })
  }
}

/// A file or folder that is removed with its last reference.
final class TemporaryFile: Sendable {
  let path = "/tmp/atrest-keyserver-\(getpid())-\(UInt64.random(in: 0 ... .max)).db"

  func text() throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }

  func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    // The server refuses key files that others can read.
    chmod(path, 0o600)
  }

  deinit {
    for suffix in ["", "-wal", "-shm", ".lock", ".new"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
