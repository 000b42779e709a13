import Foundation
import Testing

/// Schemas of many pages and databases that grow and shrink are exchanged in both directions.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct SchemaTests {
  static let pairs = [Pair(.atRest, .sqlcipher), Pair(.sqlcipher, .atRest)]

  @Test(arguments: pairs, ["NONE", "FULL", "INCREMENTAL"])
  func aSchemaOfManyPages(_ pair: Pair, vacuum: String) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database)
    try maker.run("PRAGMA auto_vacuum = \(vacuum)")
    try maker.run("BEGIN")
    for number in 0..<500 {
      try maker.run("CREATE TABLE t\(number) (first TEXT, second INTEGER CHECK (second <> 7))")
    }
    try maker.run("INSERT INTO t499 VALUES ('last', 1)")
    try maker.run("COMMIT")
    try maker.close()

    let other = try DatabaseProgram(pair.second, opening: folder.database)
    #expect(try other.value("SELECT count(*) FROM sqlite_schema") == "500")
    #expect(try other.value("SELECT first FROM t499") == "last")
    #expect(try other.value("PRAGMA integrity_check") == "ok")
    for number in 0..<400 { try other.run("DROP TABLE t\(number)") }
    try other.run("PRAGMA incremental_vacuum")
    try other.close()

    try maker.open(folder.database)
    #expect(try maker.value("SELECT count(*) FROM sqlite_schema") == "100")
    #expect(try maker.value("PRAGMA integrity_check") == "ok")
  }

  /// SQLite does not write pages that one transaction makes and frees, so the file has a gap.
  @Test(
    arguments: pairs, [("NONE", "wal"), ("NONE", "delete"), ("FULL", "wal"), ("FULL", "delete")])
  func pagesThatOneTransactionMakesAndFrees(
    _ pair: Pair, _ setting: (vacuum: String, mode: String)
  ) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database)
    try maker.run("PRAGMA auto_vacuum = \(setting.vacuum)")
    try maker.run("PRAGMA journal_mode = \(setting.mode)")
    try maker.run([
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body BLOB)",
      "INSERT INTO note (body) VALUES (randomblob(20000))", "BEGIN",
      "CREATE TABLE gone (body BLOB)", "INSERT INTO gone VALUES (zeroblob(300000))",
      "INSERT INTO note (body) VALUES (zeroblob(50000))", "DROP TABLE gone", "COMMIT",
    ])
    try maker.close()
    let other = try DatabaseProgram(pair.second, opening: folder.database)
    #expect(try other.value("PRAGMA integrity_check") == "ok")
    // The freed pages are used again.
    try other.run("INSERT INTO note (body) VALUES (zeroblob(500000))")
    try other.run("DELETE FROM note WHERE id = 1")
    try other.run("VACUUM")
    #expect(try other.value("SELECT sum(length(body)) FROM note") == "550000")
    #expect(try other.value("PRAGMA integrity_check") == "ok")
    try other.close()
    try maker.open(folder.database)
    #expect(try maker.value("SELECT sum(length(body)) FROM note") == "550000")
  }

  @Test(arguments: pairs) func viewsTriggersSearchAndChangedTables(_ pair: Pair) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database)
    try maker.run([
      "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT COLLATE NOCASE)",
      "CREATE TABLE change (note INTEGER, text TEXT)",
      "CREATE VIEW recent AS SELECT text FROM note ORDER BY id DESC LIMIT 2",
      """
      CREATE TRIGGER keep AFTER UPDATE ON note
      BEGIN INSERT INTO change VALUES (old.id, old.text); END
      """,
      "CREATE VIRTUAL TABLE search USING fts5(text)",
      "INSERT INTO note (text) VALUES ('one'), ('two'), ('three')",
      "INSERT INTO search SELECT text FROM note",
    ])
    try maker.close()
    let other = try DatabaseProgram(pair.second, opening: folder.database)
    try other.run([
      "UPDATE note SET text = 'four' WHERE text = 'TWO'",
      "ALTER TABLE note ADD COLUMN color TEXT DEFAULT 'green'",
      "ALTER TABLE note RENAME COLUMN text TO body",
      "INSERT INTO search VALUES ('a walrus')", "CREATE TEMP TABLE draft AS SELECT * FROM note",
    ])
    #expect(try other.value("SELECT count(*) FROM sqlite_temp_schema") == "1")
    try other.close()
    try maker.open(folder.database)
    #expect(try maker.run("SELECT * FROM recent") == [["three"], ["four"]])
    #expect(try maker.run("SELECT * FROM change") == [["2", "two"]])
    #expect(try maker.run("SELECT DISTINCT color FROM note") == [["green"]])
    #expect(try maker.run("SELECT * FROM search('walrus')") == [["a walrus"]])
    #expect(try maker.value("SELECT seq FROM sqlite_sequence WHERE name = 'note'") == "3")
  }

  @Test(arguments: pairs) func vacuumMakesTheFileSmaller(_ pair: Pair) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database)
    try maker.run([
      "CREATE TABLE note (body BLOB)", "INSERT INTO note VALUES (zeroblob(1000000))",
      "INSERT INTO note VALUES ('short')",
    ])
    let size = try Data(contentsOf: folder.database).count
    try maker.run("DELETE FROM note WHERE length(body) > 100")
    try maker.run("VACUUM")
    #expect(try Data(contentsOf: folder.database).count < size / 50)
    try maker.close()
    let other = try DatabaseProgram(pair.second, opening: folder.database)
    #expect(try other.run("SELECT body FROM note") == [["short"]])
  }
}
