import Foundation
import Testing

/// A writing program is killed at a random moment. AtRest and SQLCipher then find the same rows:
/// those of every transaction that was reported as committed, and no torn one.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct RandomKillTests {
  private static let runs =
    ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? 100 : 6

  @Test(arguments: ["wal", "delete"], [Implementation.atRest, .sqlcipher])
  func bothFindEveryCommittedRow(_ mode: String, _ writer: Implementation) throws {
    var interrupted = 0
    for run in 0..<Self.runs {
      let folder = try DatabaseFolder()
      let program = try DatabaseProgram(writer, opening: folder.database)
      try program.run("PRAGMA journal_mode = \(mode)")
      try program.run("PRAGMA wal_autocheckpoint = 60")
      try program.run(Ledger.smallCache)
      try program.run(Ledger.creation)
      try program.startLoop(Ledger.transaction, count: 1_000_000)
      var committed = 0
      let start = ContinuousClock.now
      for _ in 0..<Int.random(in: 2...12) { committed = try program.nextRound() ?? committed }
      // Any moment of the next transaction. A sleep would end too late for short times.
      let transaction = (ContinuousClock.now - start) / committed
      let end = ContinuousClock.now + transaction * Double.random(in: 0...1.2)
      while ContinuousClock.now < end {}
      program.kill()
      while let round = try program.nextRound() { committed = round }

      let ours = try folder.copy()
      let theirs = try folder.copy()
      let found = try Self.rows(.atRest, ours)
      #expect(try Self.rows(.sqlcipher, theirs) == found, "run \(run)")
      // Each reads the database that the other one recovered.
      #expect(try Self.rows(.sqlcipher, ours) == found, "run \(run)")
      #expect(try Self.rows(.atRest, theirs) == found, "run \(run)")
      let number = found.count
      // The program may have been killed between a commit and its report.
      #expect((committed...committed + 1).contains(number), "run \(run)")
      if number == committed { interrupted += 1 }
    }
    print("killed \(Self.runs) times, \(mode), \(writer): \(interrupted) before a commit")
  }

  /// Returns the rows of the table with a row per transaction, after all rows were checked.
  private static func rows(
    _ implementation: Implementation, _ folder: DatabaseFolder
  ) throws -> [DatabaseProgram.Row] {
    let program = try DatabaseProgram(implementation, opening: folder.database)
    _ = try Ledger.checkedNumber(program)
    let rows = try program.run("SELECT * FROM entry ORDER BY number")
    try program.close()
    return rows
  }
}
