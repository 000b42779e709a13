import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A process is killed before each of its writes, while it commits a transaction to two databases. Both then
/// have the transaction, or neither has it.
struct AttachedCrashTests {
  /// What is found after a crash: the number of the last transaction in each database.
  private struct Outcome: Hashable {
    var main: Int
    var attached: Int
    /// SQLite's file that joins the journals of a transaction was there.
    var hadSuperJournal: Bool
  }

  @Test(arguments: ["delete", "truncate", "persist"])
  func noTransactionIsTorn(mode: String) throws {
    let outcomes = try Self.crashes(mode: mode)
    #expect(!outcomes.contains { $0.main != $0.attached })
    // Control: there were crashes before and after the commit, and with all files that it has.
    #expect(outcomes.contains(Outcome(main: 1, attached: 1, hadSuperJournal: false)))
    #expect(outcomes.contains(Outcome(main: 1, attached: 1, hadSuperJournal: true)))
    #expect(outcomes.contains(Outcome(main: 2, attached: 2, hadSuperJournal: false)))
  }

  /// Control: in WAL mode, SQLite commits to one database after the other, and the same crashes show it.
  @Test func tornTransactionsAreSeen() throws {
    let outcomes = try Self.crashes(mode: "wal")
    #expect(outcomes.contains(Outcome(main: 2, attached: 1, hadSuperJournal: false)))
    #expect(!outcomes.contains { $0.hadSuperJournal })
  }

  /// Kills processes before the first write of the transaction, the second, and so on, until one is not killed.
  private static func crashes(mode: String) throws -> Set<Outcome> {
    var outcomes: Set<Outcome> = []
    for number in 1..<1000 {
      let scratch = try Scratch()
      let other = scratch.folder.appendingPathComponent("archive.db")
      let worker = try Worker(
        scratch.file, recording: scratch.folder.appendingPathComponent("recording"))
      try worker.run(".attach \(other.path)")
      for schema in ["main", "attached"] {
        try worker.run("PRAGMA \(schema).journal_mode = \(mode)")
        // Small, so that pages are written before the end of the transaction.
        try worker.run("PRAGMA \(schema).cache_size = 2")
        try worker.run("CREATE TABLE \(schema).pad AS SELECT 1 AS number, zeroblob(20000) AS bytes")
      }
      try worker.run(".kill \(number)")
      let isKilled = (try? commit(with: worker)) == nil
      worker.kill()
      let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
      var outcome = Outcome(
        main: 0, attached: 0, hadSuperJournal: files.contains { $0.contains("-mj") })
      // The first database that is opened finds the journal of the other one as the crash left it.
      if number % 2 == 0 { outcome.attached = try self.number(in: other) }
      outcome.main = try self.number(in: scratch.file)
      outcome.attached = try self.number(in: other)
      outcomes.insert(outcome)
      guard isKilled else {
        #expect(outcome == Outcome(main: 2, attached: 2, hadSuperJournal: false))
        print("killed before each of \(number - 1) writes, \(mode)")
        return outcomes
      }
    }
    Issue.record("The transaction does not end.")
    return outcomes
  }

  private static func commit(with worker: Worker) throws {
    try worker.run("BEGIN")
    for schema in ["main", "attached"] {
      try worker.run("UPDATE \(schema).pad SET number = 2, bytes = randomblob(20000)")
    }
    try worker.run("COMMIT")
  }

  private static func number(in file: URL) throws -> Int {
    let queue = try EncryptedDatabase.openQueue(at: file, key: Scratch.rawKey(), creating: true)
    defer { try? queue.close() }
    return try queue.writeWithoutTransaction { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      return try Int.fetchOne(db, sql: "SELECT number FROM pad") ?? 0
    }
  }
}
