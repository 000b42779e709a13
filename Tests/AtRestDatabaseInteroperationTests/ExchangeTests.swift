import Foundation
import Testing

/// A database that one program made is read and written by another one, and then read by the first
/// one again.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct ExchangeTests {
  static let salt = String(repeating: "c3", count: 16)
  static let key = String(repeating: "5a17", count: 16)

  static let layouts: [DatabaseLayout] =
    (10...16).map { DatabaseLayout(pageSize: 1 << $0) }
    + [
      DatabaseLayout(key: "x'\(key)\(salt)'"),
      DatabaseLayout(key: "x'\(key)\(String(key.reversed()))\(salt)'"),
      DatabaseLayout(key: "x'\(key)'", salt: salt),
      DatabaseLayout(key: "x'\(key)'", pageSize: 1024, salt: salt),
      DatabaseLayout(key: "correct horse battery staple"),
      DatabaseLayout(key: "Zürich \"quoted\" 'twice' 鍵", iterations: 1000),
      DatabaseLayout(key: "many rounds", iterations: 300_000),
      DatabaseLayout(key: "a plaintext header", iterations: 4000, salt: salt),
      DatabaseLayout(key: "version 1", compatibility: 1),
      DatabaseLayout(key: "version 2", compatibility: 2),
      DatabaseLayout(key: "version 2, big-endian", compatibility: 2, format: "be"),
      DatabaseLayout(key: "version 2, beta", compatibility: 2, format: "beta"),
      DatabaseLayout(key: "version 3", compatibility: 3),
      DatabaseLayout(key: "x'\(key)'", compatibility: 3),
    ]

  @Test(arguments: layouts, [false, true])
  func eachReadsAndWritesWhatTheOtherMade(_ layout: DatabaseLayout, inLog: Bool) throws {
    try exchange(Pair(.atRest, .sqlcipher), layout, inLog: inLog)
    try exchange(Pair(.sqlcipher, .atRest), layout, inLog: inLog)
  }

  @Test(
    arguments: [
      .standard, DatabaseLayout(pageSize: 1024), DatabaseLayout(pageSize: 65_536),
      DatabaseLayout(key: "correct horse battery staple"),
    ] as [DatabaseLayout], [false, true])
  func soDoesSQLite3MultipleCiphers(_ layout: DatabaseLayout, inLog: Bool) throws {
    try exchange(Pair(.atRest, .sqlite3mc), layout, inLog: inLog)
    try exchange(Pair(.sqlite3mc, .atRest), layout, inLog: inLog)
  }

  /// The control: another key, another page size and another number of rounds read nothing.
  @Test(
    arguments: [
      DatabaseLayout(key: "x'\(String(key.reversed()))'"), DatabaseLayout(pageSize: 1024),
      DatabaseLayout(key: "another passphrase", iterations: 10), DatabaseLayout(compatibility: 3),
    ], [Implementation.atRest, .sqlcipher])
  func anotherLayoutReadsNothing(_ layout: DatabaseLayout, _ reader: Implementation) throws {
    let folder = try DatabaseFolder()
    let writer = try DatabaseProgram(reader == .atRest ? .sqlcipher : .atRest)
    try writer.open(folder.database)
    try writer.run("CREATE TABLE note (text)")
    try writer.close()
    let before = try Data(contentsOf: folder.database)
    let program = try DatabaseProgram(reader)
    #expect(throws: DatabaseProgram.Refusal.self) {
      try program.open(folder.database, layout)
      try program.run("SELECT * FROM sqlite_schema")
    }
    #expect(throws: DatabaseProgram.Refusal.self) { try program.run("CREATE TABLE other (text)") }
    program.kill()
    #expect(try Data(contentsOf: folder.database) == before)
  }

  /// SQLite needs 480 bytes of a page, and version 4 leaves 432 of 512.
  @Test(arguments: [Implementation.atRest, .sqlcipher])
  func pagesOf512BytesAreTooSmallForVersion4(_ implementation: Implementation) throws {
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(implementation)
    #expect(throws: DatabaseProgram.Refusal.self) {
      try program.open(folder.database, DatabaseLayout(pageSize: 512))
      try program.run("CREATE TABLE note (text)")
      try program.close()
      try program.open(folder.database, DatabaseLayout(pageSize: 512))
      try program.run("SELECT * FROM note")
    }
  }

  private func exchange(_ pair: Pair, _ layout: DatabaseLayout, inLog: Bool) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database, layout)
    try maker.run("PRAGMA journal_mode = \(inLog ? "wal" : "delete")")
    try maker.run(Ledger.creation)
    try maker.run("CREATE TABLE note (id INTEGER PRIMARY KEY, text, body BLOB)")
    try maker.run("CREATE INDEX note_text ON note (text)")
    try maker.run("INSERT INTO note (text, body) VALUES ('first', zeroblob(200000))")
    try maker.close()

    let other = try DatabaseProgram(pair.second, opening: folder.database, layout)
    #expect(try Ledger.checkedNumber(other) == 0)
    #expect(try other.run("SELECT text, length(body) FROM note") == [["first", "200000"]])
    try other.run(Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "1") })
    try other.run("INSERT INTO note (text, body) SELECT text || id, x'00ff' FROM ledger")
    try other.run("DELETE FROM note WHERE id % 3 = 0")
    try other.run("VACUUM")
    try other.close()

    try maker.open(folder.database, layout)
    #expect(try Ledger.checkedNumber(maker) == 1)
    let notes = Ledger.rows + 1 - (Ledger.rows + 1) / 3
    #expect(try maker.value("SELECT count(*) FROM note") == "\(notes)")
    #expect(
      try maker.value("SELECT count(*) FROM note INDEXED BY note_text WHERE text >= ''")
        == "\(notes)")
    try maker.close()
    #expect(!FileManager.default.fileExists(atPath: folder.log.path))
  }
}
