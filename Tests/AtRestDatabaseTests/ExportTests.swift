import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// `sqlcipher_export` copies everything into an attached database.
struct ExportTests {
  private static let statements = [
    "CREATE TABLE parent(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)",
    "CREATE TABLE \"a \"\"child\"\"\"(p REFERENCES parent(id), c, d AS (c * 2))",
    "CREATE TABLE pairs(a, b, c, PRIMARY KEY(a, b)) WITHOUT ROWID",
    "CREATE TABLE odd(rowid TEXT, b)",
    "CREATE TABLE child_first(p REFERENCES parent(id) DEFERRABLE INITIALLY DEFERRED)",
    "CREATE INDEX byName ON parent(name COLLATE NOCASE)",
    "CREATE UNIQUE INDEX byPair ON pairs(c)",
    "CREATE VIEW names AS SELECT name FROM parent",
    "CREATE TABLE log(t)",
    "CREATE TRIGGER noted AFTER INSERT ON parent BEGIN INSERT INTO log VALUES(new.name); END",
    "CREATE VIRTUAL TABLE words USING fts5(text)",
    "INSERT INTO parent(name) VALUES('eva'), ('adam'), ('ada')",
    "DELETE FROM parent WHERE name = 'adam'",
    "INSERT INTO \"a \"\"child\"\"\"(rowid, p, c) VALUES(11, 1, 2), (17, 3, 4)",
    "INSERT INTO pairs VALUES(1, 2, 3)",
    "INSERT INTO odd VALUES('x', 1)",
    "CREATE TABLE descending(a INTEGER PRIMARY KEY DESC, b)",
    "INSERT INTO descending(rowid, a, b) VALUES(50, 1, 2), (70, 3, 4)",
    "INSERT INTO words VALUES('wren and otter'), ('otter')",
    "PRAGMA user_version = 9",
    "ANALYZE",
  ]

  @Test(arguments: [DatabaseFormat.sqlcipher4, .sqlcipher3])
  func everythingIsCopied(format: DatabaseFormat) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    let copy = scratch.folder.appendingPathComponent("copy.db")
    let key = try Scratch.rawKey()
    try queue.writeWithoutTransaction { db in
      for statement in Self.statements { try db.execute(sql: statement) }
      try EncryptedDatabase.attach(
        copy, as: "o'brien", key: key, format: format, creating: true, to: db)
      try db.execute(sql: "SELECT sqlcipher_export('o''brien')")
      // As in SQLCipher, the version of the user is not copied.
      let version = try Int.fetchOne(db, sql: "PRAGMA \"o'brien\".user_version")
      #expect(version == 0)
    }
    let other = try EncryptedDatabase.openQueue(at: copy, key: key, format: format, creating: true)
    for query in [
      "SELECT type || name || tbl_name || ifnull(sql, '') FROM sqlite_schema ORDER BY 1",
      "SELECT id || name FROM parent",
      "SELECT rowid || '-' || p || c || d FROM \"a \"\"child\"\"\"",
      "SELECT a || b || c FROM pairs", "SELECT rowid || b FROM odd", "SELECT t FROM log",
      "SELECT seq FROM sqlite_sequence",
      "SELECT rowid || '-' || a || b FROM descending",
      "SELECT tbl || stat FROM sqlite_stat1 ORDER BY 1", "SELECT name FROM names",
      "SELECT rowid || text FROM words WHERE words MATCH 'otter'", "PRAGMA integrity_check",
    ] {
      let expected = try queue.read { try String.fetchAll($0, sql: query) }
      #expect(try other.read { try String.fetchAll($0, sql: query) } == expected, "\(query)")
      #expect(!expected.isEmpty)
    }
  }

  @Test func aFailureLeavesTheTargetAsItWas() throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE a(x); CREATE TABLE b(x); INSERT INTO a VALUES(1)")
      let copy = scratch.folder.appendingPathComponent("copy.db")
      try EncryptedDatabase.attach(copy, as: "copy", key: Scratch.rawKey(), creating: true, to: db)
      try db.execute(sql: "CREATE TABLE copy.b(y)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT sqlcipher_export('copy')") }
      let names = try String.fetchAll(db, sql: "SELECT name FROM copy.sqlite_schema")
      #expect(names == ["b"])
      #expect(throws: DatabaseError.self) { try db.execute(sql: "SELECT sqlcipher_export('none')") }
    }
  }
}
