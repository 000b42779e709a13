import Foundation
import Testing

/// Settings of a connection that could change how files are written. The other program reads the
/// result.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct ConnectionSettingTests {
  static let settings = [
    "PRAGMA page_size = 8192", "PRAGMA mmap_size = 268435456", "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA journal_mode = MEMORY", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF",
    "PRAGMA secure_delete = ON", "PRAGMA cache_size = 1", "PRAGMA cell_size_check = ON",
    "PRAGMA cache_spill = OFF", "PRAGMA checkpoint_fullfsync = ON",
  ]

  @Test(arguments: SchemaTests.pairs, settings)
  func theFileStaysReadable(_ pair: Pair, _ setting: String) throws {
    for mode in ["delete", "wal"] {
      let folder = try DatabaseFolder()
      let maker = try DatabaseProgram(pair.first, opening: folder.database)
      try maker.run("PRAGMA journal_mode = \(mode)")
      try maker.run(Ledger.creation)
      // A program may refuse the setting.
      _ = try? maker.run(setting)
      try maker.run("VACUUM")
      try maker.run(Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "1") })
      try maker.close()
      let other = try DatabaseProgram(pair.second, opening: folder.database)
      #expect(try Ledger.checkedNumber(other) == 1)
      #expect(try other.value("PRAGMA page_size") == "4096")
    }
  }

  /// A statement that fails is undone from its journal, and a savepoint from the transaction's.
  @Test(arguments: SchemaTests.pairs, ["wal", "delete"])
  func statementsAndSavepointsAreUndone(_ pair: Pair, mode: String) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(pair.first, opening: folder.database)
    try maker.run("PRAGMA journal_mode = \(mode)")
    try maker.run(Ledger.smallCache)
    try maker.run(Ledger.creation)
    try maker.run("CREATE UNIQUE INDEX one ON ledger (text)")
    try maker.run("BEGIN")
    #expect(throws: DatabaseProgram.Refusal.self) {
      // Row 400 gets the text of row 399.
      try maker.run("UPDATE ledger SET text = CASE id WHEN 400 THEN 399 ELSE id END")
    }
    try maker.run([
      "SAVEPOINT outer", "UPDATE ledger SET text = printf('%0200d', -id)", "SAVEPOINT inner",
      "DELETE FROM ledger", "ROLLBACK TO inner", "RELEASE inner", "ROLLBACK TO outer",
      "INSERT INTO entry VALUES (1, printf('%0100d', 1))", "COMMIT", "DELETE FROM entry",
    ])
    try maker.close()
    let other = try DatabaseProgram(pair.second, opening: folder.database)
    #expect(try Ledger.checkedNumber(other) == 0)
  }

  /// A reader sees the last commit while another program writes.
  @Test(arguments: SchemaTests.pairs) func aReaderIsIsolated(_ pair: Pair) throws {
    let folder = try DatabaseFolder()
    let writer = try DatabaseProgram(pair.first, opening: folder.database)
    try writer.run("PRAGMA journal_mode = wal")
    try writer.run(Ledger.smallCache)
    try writer.run(Ledger.creation)
    let reader = try DatabaseProgram(pair.second, opening: folder.database)
    try reader.run("BEGIN")
    #expect(try Ledger.checkedNumber(reader) == 0)
    for number in 1...3 {
      try writer.run(
        Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "\(number)") })
    }
    try writer.run("PRAGMA wal_checkpoint(PASSIVE)")
    #expect(try Ledger.checkedNumber(reader) == 0)
    try reader.run("COMMIT")
    #expect(try Ledger.checkedNumber(reader) == 3)
    #expect(try reader.run("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0")
    #expect(try Ledger.checkedNumber(writer) == 3)
  }
}
