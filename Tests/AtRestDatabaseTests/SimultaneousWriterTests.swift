import AtRestDatabase
import Foundation
import Testing

/// Several processes write at the same time, and one of them is killed now and then.
struct SimultaneousWriterTests {
  @Test func everyRowOfThreeProcessesIsThere() throws {
    let scratch = try Scratch()
    try scratch.run("PRAGMA journal_mode = wal", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
    let workers = try (0..<3).map { _ in try Worker(scratch.file) }
    for worker in workers { try worker.run("PRAGMA wal_autocheckpoint = 10") }
    for _ in 0..<40 {
      for worker in workers { worker.send("INSERT INTO t(b) VALUES(randomblob(2000))") }
      for worker in workers { try worker.answer() }
    }
    #expect(try workers[0].run("SELECT count(*) FROM t") == ["120"])
    for worker in workers { worker.kill() }
    #expect(try scratch.isIntact())
  }

  /// Two processes make the same database.
  @Test func oneOfTwoMakesTheDatabase() throws {
    for _ in 0..<5 {
      let scratch = try Scratch()
      let workers = try (0..<2).map { _ in try Worker(scratch.file) }
      for worker in workers { worker.send("CREATE TABLE IF NOT EXISTS t(a, b)") }
      for worker in workers { try worker.answer() }
      for worker in workers { worker.end() }
      #expect(try scratch.isIntact())
    }
  }
}
