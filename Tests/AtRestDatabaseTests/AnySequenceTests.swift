import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Each page is authentic whatever SQL is run, with readers that delay checkpoints, crashes, and pages that
/// are made, freed and cut off.
struct AnySequenceTests {
  @Test(arguments: Ledger.isLong ? Array(1...60) : [1, 2, 3])
  func theDatabaseIsIntact(seed: UInt64) throws {
    let scratch = try Scratch()
    var dice = Dice(seed)
    try scratch.fill(rows: 20)
    for _ in 0..<6 {
      let worker = try Worker(scratch.file)
      let reader = try Worker(scratch.file)
      try worker.run("PRAGMA journal_mode = wal")
      if Bool.random(using: &dice) { try worker.run("PRAGMA cache_size = 3") }
      try worker.run("PRAGMA wal_autocheckpoint = \(Int.random(in: 1...40, using: &dice))")
      for _ in 0..<Int.random(in: 3...25, using: &dice) {
        try Self.step(worker, reader, &dice)
      }
      if Bool.random(using: &dice) {
        worker.kill()
        reader.kill()
      } else {
        reader.end()
        worker.end()
      }
      #expect(try scratch.isIntact(), "seed \(seed)")
    }
  }

  private static func step(_ worker: Worker, _ reader: Worker, _ dice: inout Dice) throws {
    let row = Int.random(in: 1...40, using: &dice)
    switch Int.random(in: 0..<11, using: &dice) {
    case 0: try worker.run("INSERT OR REPLACE INTO t VALUES(\(row), \(row), randomblob(9000))")
    case 1: try worker.run("DELETE FROM t WHERE a > \(row)")
    case 2:
      try worker.run("UPDATE t SET c = randomblob(length(c) / 2 + 100) WHERE a % 3 = \(row % 3)")
    case 3: try worker.run("VACUUM")
    case 4: try worker.run("PRAGMA wal_checkpoint(PASSIVE)")
    case 5:
      _ = try? reader.run("COMMIT")
      try worker.run("PRAGMA wal_checkpoint(TRUNCATE)")
    case 6:
      try worker.run("BEGIN")
      try worker.run("INSERT OR REPLACE INTO t VALUES(\(row + 100), 1, zeroblob(40000))")
      try worker.run("SAVEPOINT one")
      try worker.run("UPDATE t SET c = zeroblob(5000)")
      if row % 2 == 0 { try worker.run("ROLLBACK TO one") }
      try worker.run("DELETE FROM t WHERE a > 100")
      try worker.run(row % 5 == 0 ? "ROLLBACK" : "COMMIT")
    case 7:
      // A reader keeps its snapshot, so a checkpoint stays incomplete.
      _ = try? reader.run("BEGIN")
      _ = try? reader.run("SELECT count(*) FROM t")
    case 8: _ = try? reader.run("COMMIT")
    case 9: try worker.run("CREATE INDEX IF NOT EXISTS i ON t(c)")
    default: try worker.run("DROP INDEX IF EXISTS i")
    }
  }
}
