import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The format is always in WAL mode, so a rollback journal is never used.
struct JournalTests {
  @Test func aJournalIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    // A journal as SQLite writes it, with pages of the right size, of another database.
    let other = try Scratch()
    let worker = try Worker(other.file, key: "-")
    try worker.run("CREATE TABLE t(a, b)")
    try worker.run("PRAGMA cache_size = 1")
    try worker.run("BEGIN")
    try worker.run(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99) INSERT INTO t SELECT i, zeroblob(3000) FROM n"
    )
    worker.kill()
    try FileManager.default.copyItem(at: other.url("-journal"), to: scratch.url("-journal"))
    let error = scratch.rows()
    #expect(scratch.refusal() == .damaged)
    #expect("\(error)".contains("rollback journal"))
    try FileManager.default.removeItem(at: scratch.url("-journal"))
    #expect(scratch.refusal() == nil)
  }

  @Test(arguments: ["delete", "off", "memory", "wal"]) func theModeStays(mode: String) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue(.atrest)
    let answers = try queue.writeWithoutTransaction { db in
      try (
        String.fetchOne(db, sql: "PRAGMA journal_mode = \(mode)"),
        String.fetchOne(db, sql: "PRAGMA journal_mode"),
        String.fetchOne(db, sql: "PRAGMA locking_mode = exclusive"),
        String.fetchOne(db, sql: "PRAGMA locking_mode")
      )
    }
    #expect(answers == ("wal", "wal", "normal", "normal"))
  }
}
