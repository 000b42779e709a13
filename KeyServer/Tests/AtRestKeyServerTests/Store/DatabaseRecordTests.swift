import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// An older copy of the database in the place of the present one.
@Suite struct DatabaseRecordTests {
  private let file = TemporaryFile()
  private let database: TestDatabase
  private let store: KeyServerStore

  init() throws {
    database = try TestDatabase(.embedded)
    store = try database.store()
  }

  /// Opens the record as a server does that starts.
  private func start(_ store: KeyServerStore) throws -> DatabaseRecord {
    let record = try DatabaseRecord(path: file.path, store: store)
    try record.advance()
    return record
  }

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file.path)) }

  @Test(arguments: TestDatabase.kinds)
  func `A database that was not restored is accepted each time`(kind: TestDatabase.Kind) throws {
    let database = try TestDatabase(kind)
    for _ in 0..<3 {
      let record = try start(database.store())
      try record.advance()
      #expect(!record.isDatabaseRefused)
    }
  }

  @Test func `An older copy is refused, at the start and while a server runs`() throws {
    try store.createAccount("eva")
    _ = try start(store)
    let backup = try database.backup().store()
    let record = try start(store)
    try store.createAccount("tom")
    try record.advance()

    // The file outlives the server that runs on the present database.
    let other = TemporaryFile()
    try bytes().write(to: URL(fileURLWithPath: other.path))
    let error = expectError(.rolledBack) {
      try DatabaseRecord(path: other.path, store: backup).advance()
    }
    #expect(error?.message.contains("Its audit log lacks 1 or more entries.") == true)
    let running = try DatabaseRecord(path: other.path, store: backup)
    expectError(.rolledBack) { try running.advance() }
    #expect(running.isDatabaseRefused)
    // The control: the present database is accepted with the same file.
    #expect(!record.isDatabaseRefused)
  }

  @Test func `A copy from before the record is refused`() throws {
    let backup = try database.backup().store()
    _ = try start(store)
    expectError(.rolledBack) { _ = try start(backup) }
  }

  @Test func `A server that ended between the commit and the file is accepted`() throws {
    _ = try start(store)
    let former = try bytes()
    _ = try start(store)
    try former.write(to: URL(fileURLWithPath: file.path))
    #expect(try !start(store).isDatabaseRefused)
  }

  @Test func `An older copy can be accepted, and the audit log tells it`() throws {
    let backup = try database.backup().store()
    _ = try start(store)
    try DatabaseRecord.acceptOlder(path: file.path, store: backup)
    _ = try start(backup)
    var events: [String] = []
    _ = try backup.forEachAuditEntry { events.append($0.event) }
    #expect(events == ["database accepted as it is, perhaps an older one"])
    // The database that was replaced is the other one now.
    expectError(.rolledBack) { _ = try start(store) }
  }

  @Test func `Each server has a record of its own`() throws {
    let record = try start(store)
    let error = expectError(.busy) { _ = try DatabaseRecord(path: file.path, store: store) }
    #expect(error?.message.contains(file.path) == true)
    expectError(.busy) { try DatabaseRecord.acceptOlder(path: file.path, store: store) }
    let second = TemporaryFile()
    let other = try DatabaseRecord(path: second.path, store: database.store())
    for _ in 0..<2 {
      try record.advance()
      try other.advance()
    }
  }

  @Test func `A record that was changed, or is one of another database, is damaged`() throws {
    _ = try start(store)
    let intact = try bytes()
    #expect(
      try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        == 0o600)
    for index in [0, 5, 6, intact.count - 1] {
      var changed = intact
      changed[index] ^= 1
      try changed.write(to: URL(fileURLWithPath: file.path))
      expectError(.damaged) { _ = try DatabaseRecord(path: file.path, store: store) }
    }
    for text in ["", "ATKSR"] {
      try file.write(text)
      expectError(.damaged) { _ = try DatabaseRecord(path: file.path, store: store) }
    }
    try intact.write(to: URL(fileURLWithPath: file.path))
    expectError(.damaged) {
      _ = try DatabaseRecord(path: file.path, store: TestDatabase(.embedded).store())
    }
    _ = try start(store)
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
  func `A counter that was changed, and an end of the audit log that was put back, are refused`()
    throws
  {
    let database = try TestDatabase(.postgreSQL)
    let store = try database.store()
    try database.psql(
      "CREATE TABLE saved AS SELECT * FROM keyserver_state WHERE id = 'state'::bytea")
    try store.createAccount("eva")
    let record = try start(store)
    try database.psql(
      """
      UPDATE keyserver_state SET edition = saved.edition, sealed = saved.sealed
      FROM saved WHERE keyserver_state.id = saved.id
      """)
    expectError(.rolledBack) { try record.advance() }
    #expect(record.isDatabaseRefused)

    // The state lacks the digests of the tables, so it has to be accepted.
    let restarted = try database.store(keepsLedger: false)
    try restarted.acceptTables()
    let second = TemporaryFile()
    let other = try DatabaseRecord(path: second.path, store: restarted)
    try other.advance()
    #expect(!other.isDatabaseRefused)
    try database.psql(
      "UPDATE keyserver_state SET edition = edition + 1 WHERE encode(id, 'escape') LIKE 'server %'")
    expectError(.damaged) { try other.advance() }
    #expect(other.isDatabaseRefused)
  }

  @Test func `A failure to write keeps the former record, and the next write replaces it`() throws {
    let record = try start(store)
    let former = try bytes()
    try FileManager.default.createDirectory(
      atPath: "\(file.path).new", withIntermediateDirectories: false)
    let error = expectError(.system) { try record.advance() }
    #expect(error?.message.contains(file.path) == true)
    #expect(try bytes() == former && !record.isDatabaseRefused)
    try FileManager.default.removeItem(atPath: "\(file.path).new")
    try record.advance()
    #expect(try bytes() != former)
  }

  @Test func `A record that cannot be locked is an error that names it`() throws {
    let path = "\(file.path)/none/record"
    let error = expectError(.system) { _ = try DatabaseRecord(path: path, store: store) }
    #expect(error?.message.contains(path) == true)
  }
}
