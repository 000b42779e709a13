import Foundation
import Testing

/// No byte of the contents is written to a file, whatever SQL is run.
struct PlaintextTests {
  private static let word = "walrus-tusk-inventory"
  private static let statements = [
    "CREATE TABLE walrustable(a INTEGER PRIMARY KEY, b)",
    "CREATE INDEX walrusindex ON walrustable(b)",
    """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) \
    INSERT INTO walrustable SELECT i, '\(word)' || i FROM n
    """,
    "PRAGMA cache_size = 5",
    "BEGIN",
    "SAVEPOINT one",
    "UPDATE walrustable SET b = b || 'x'",
    "ROLLBACK TO one",
    "UPDATE walrustable SET b = b || 'y' WHERE a % 2",
    "COMMIT",
    // The statement fails in the middle, and its journal undoes it.
    "CREATE UNIQUE INDEX walrusunique ON walrustable(a % 2999)",
    "CREATE TEMP TABLE walrustemp AS SELECT * FROM walrustable",
    "UPDATE walrustemp SET b = b || 'z'",
    "SELECT count(*) FROM (SELECT b FROM walrustable UNION SELECT b || 'q' FROM walrustable ORDER BY 1 DESC)",
    "PRAGMA wal_checkpoint(TRUNCATE)",
    "ATTACH '' AS walrusnameless",
    "CREATE TABLE walrusnameless.walrustable AS SELECT * FROM walrustable",
    "DELETE FROM walrustable WHERE a % 3 = 0",
    "VACUUM",
    "DROP TABLE walrustable",
  ]

  @Test(arguments: ["wal", "delete", "truncate", "persist"])
  func nothingIsWrittenInPlaintext(mode: String) throws {
    let scratch = try Scratch()
    let (written, refused) = try run(key: Scratch.key, mode: mode, in: scratch)
    #expect(written.keys.contains("notes.db"))
    for (name, bytes) in written {
      #expect(!bytes.contains("walrus"), "in \(name)")
      #expect(!bytes.contains("SQLite format"), "in \(name)")
    }
    #expect(!written.keys.contains("(temporary)"))
    #expect(refused == 1)
  }

  /// Control: a database in plaintext writes them, also to a journal or a log.
  @Test(arguments: ["wal", "delete"])
  func plaintextIsFound(mode: String) throws {
    let scratch = try Scratch()
    let (written, _) = try run(key: "-", mode: mode, in: scratch)
    let names = written.filter { $0.value.contains("walrus") }.keys
    #expect(names.contains(mode == "wal" ? "notes.db-wal" : "notes.db-journal"))
    #expect(names.contains("notes.db"))
  }

  @Test(arguments: [
    "ATTACH 'FOLDER/other.db' AS other", "ATTACH 'FOLDER/other.db' AS other KEY 'secret'",
    "VACUUM INTO 'FOLDER/other.db'",
  ]) func filesWithoutAKeyAreRefused(_ sql: String) throws {
    let scratch = try Scratch()
    let worker = try Worker(scratch.file)
    try worker.run("CREATE TABLE t AS SELECT 'walrus' AS a")
    let statement = sql.replacingOccurrences(of: "FOLDER", with: scratch.folder.path)
    #expect(throws: Worker.Refusal.self) {
      try worker.run(statement)
      try worker.run("CREATE TABLE other.t AS SELECT 'walrus' AS a")
    }
    let other = scratch.folder.appendingPathComponent("other.db")
    let size = (try? Data(contentsOf: other))?.count ?? 0
    #expect(size == 0)
  }

  /// Returns what was written, by file, and the number of statements that were refused.
  private func run(
    key: String, mode: String, in scratch: Scratch
  ) throws -> ([String: Data], Int) {
    let recording = scratch.folder.appendingPathComponent("recording")
    let worker = try Worker(scratch.file, key: key, recording: recording)
    try worker.run("PRAGMA journal_mode = \(mode)")
    var refused = 0
    for statement in Self.statements {
      do { try worker.run(statement) } catch is Worker.Refusal { refused += 1 }
    }
    // The index of the log is a mapping, which the recording does not see.
    let index = try? Data(contentsOf: scratch.folder.appendingPathComponent("notes.db-shm"))
    worker.end()
    var written = try Recording(recording).written
    written["notes.db-shm"] = index
    return (written, refused)
  }
}

extension Data {
  func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
