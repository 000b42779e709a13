import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Opening a database that a crash left with a journal or a log destroys nothing, whatever key and format are
/// named: each file stays as it is, byte by byte.
struct FailedOpeningTests {
  /// A key and a format with which a database is opened.
  struct Attempt: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: Data
    let format: DatabaseFormat
  }

  private static let versions = [
    DatabaseFormat.sqlcipher1, .sqlcipher2, .sqlcipher3, .sqlcipher4,
  ]
  private static let key = Data((0..<32).map { UInt8($0 * 7) })
  private static let otherKey = Data((0..<32).map { UInt8($0 * 5 + 1) })

  /// A wrong key, all other formats, other sizes of pages, and a header in plaintext.
  private static func attempts(on format: DatabaseFormat) -> [Attempt] {
    var attempts = [Attempt("a wrong key", key: otherKey, format)]
    // With a raw key, versions 2 and 3 are the same.
    for other in versions where other.authentication != format.authentication {
      attempts.append(Attempt(other.name, key: key, other))
      var resized = other
      resized.pageSize = format.pageSize
      attempts.append(Attempt("\(other.name) with the same pages", key: key, resized))
    }
    for size in [1024, 2048, 4096, 65_536] where size != format.pageSize {
      var other = format
      other.pageSize = size
      attempts.append(Attempt("pages of \(size)", key: key, other))
    }
    var other = format
    other.hasPlaintextHeader = true
    attempts.append(
      Attempt("a plaintext header", key: key + Data(repeating: 3, count: 16), other))
    return attempts
  }

  @Test(arguments: versions, ["delete", "persist", "wal"])
  func everyFileStays(format: DatabaseFormat, mode: String) throws {
    let (scratch, files) = try crashed(format, mode)
    try #require(files[mode == "wal" ? "notes.db-wal" : "notes.db-journal"]?.isEmpty == false)
    for attempt in Self.attempts(on: format) {
      #expect(throws: (any Error).self, "\(attempt.testDescription)") {
        let queue = try EncryptedDatabase.openQueue(
          at: scratch.file, key: .raw(SecretBytes(attempt.key)), format: attempt.format,
          creating: true)
        defer { try? queue.close() }
        _ = try queue.read { try String.fetchAll($0, sql: "SELECT a FROM t") }
      }
      #expect(
        try scratch.contents().filter { $0.key != "notes.db-shm" } == files,
        "\(attempt.testDescription)")
    }
    // Control: with the right key and format, the files change, and every committed row is there.
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: .raw(SecretBytes(Self.key)), format: format, creating: true)
    let rows = try queue.read { try String.fetchAll($0, sql: "SELECT a || '=' || b FROM t") }
    #expect(rows == (1...5).map { "\($0)=\(mode == "wal" ? 2 : 1)" })
    #expect(try queue.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    try queue.close()
    #expect(try scratch.contents() != files)
  }

  /// A wrong passphrase and a wrong number of rounds are wrong keys.
  @Test(arguments: ["delete", "wal"]) func aWrongPassphrase(mode: String) throws {
    var format = DatabaseFormat.sqlcipher4
    format.rounds = 10
    let right = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
    let (scratch, files) = try crashed(format, mode, key: right)
    var rounds = format
    rounds.rounds = 11
    for (key, format) in [(.passphrase(SecretBytes(utf8: "otter")), format), (right, rounds)] {
      let error = #expect(throws: AtRestError.self) {
        try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: format, creating: true)
      }
      #expect(error?.code == .authenticationFailed)
      #expect(try scratch.contents().filter { $0.key != "notes.db-shm" } == files)
    }
  }

  /// The log of a former key, beside the database that replaced the former one.
  @Test func aLogOfAnotherDatabaseIsNotRecovered() throws {
    let salt = Data(repeating: 4, count: 16)
    let former = try DatabaseKey.raw(SecretBytes(Self.key + salt))
    let (scratch, files) = try crashed(.sqlcipher4, "wal", key: former)
    let present = try Scratch()
    try present.fill()
    try scratch.restore(files)
    try Data(contentsOf: present.file).write(to: scratch.file)
    let before = try scratch.contents()
    let error = #expect(throws: AtRestError.self) {
      let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: former, creating: true)
      defer { try? queue.close() }
      _ = try queue.read { try String.fetchAll($0, sql: "SELECT a FROM t") }
    }
    #expect(error?.code == .authenticationFailed)
    #expect(try scratch.contents().filter { $0.key != "notes.db-shm" } == before)
    // Control: beside its own database, the log is recovered.
    try scratch.restore(files)
    #expect(try scratch.rows(key: former).get() == (1...5).map { "\($0)=2" })
  }

  /// Returns a database with the log of a transaction, or with the journal of one that was not committed, whose
  /// pages are in part in the database, which is longer than before.
  private func crashed(
    _ format: DatabaseFormat, _ mode: String, key: DatabaseKey? = nil
  ) throws -> (Scratch, [String: Data]) {
    let (scratch, copy) = (try Scratch(), try Scratch())
    let key = try key ?? .raw(SecretBytes(Self.key))
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true, configuration: configuration)
    try queue.writeWithoutTransaction { db in
      _ = try String.fetchAll(db, sql: "PRAGMA journal_mode = \(mode)")
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 1")
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)")
      try db.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) \
          INSERT INTO t SELECT i, 1, zeroblob(3000) FROM n
          """)
      _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      try db.execute(sql: "BEGIN; UPDATE t SET b = 2")
      if mode == "wal" {
        try db.execute(sql: "COMMIT")
      } else {
        try db.execute(sql: "INSERT INTO t SELECT a + 10, 2, zeroblob(9000) FROM t")
      }
      let files = try scratch.contents().filter { $0.key != "notes.db-shm" }
      try copy.restore(files)
      if mode != "wal" { try db.execute(sql: "ROLLBACK") }
    }
    try queue.close()
    return (copy, try copy.contents())
  }
}

extension FailedOpeningTests.Attempt {
  fileprivate init(_ description: String, key: Data, _ format: DatabaseFormat) {
    testDescription = description
    self.key = key
    self.format = format
  }
}
