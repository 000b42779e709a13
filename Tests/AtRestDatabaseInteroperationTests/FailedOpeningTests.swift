import Foundation
import Testing

/// A database that SQLCipher left with a journal or a log, opened with a wrong key or in a wrong format, by AtRest
/// and by SQLCipher, and then with the right one.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct FailedOpeningTests {
  private static let programs: [Implementation] = [.atRest, .sqlcipher]

  @Test(arguments: [1, 2, 3, 4], ["delete", "wal"])
  func nothingIsLost(version: Int, mode: String) throws {
    let layout = DatabaseLayout(compatibility: version)
    let folder = try DatabaseFolder()
    let program = try DatabaseProgram(.sqlcipher, opening: folder.database, layout)
    try program.run("PRAGMA journal_mode = \(mode)")
    try program.run("PRAGMA wal_autocheckpoint = 0")
    try program.run(Ledger.smallCache)
    try program.run(Ledger.creation)
    try program.run(Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "1") })
    // One that is not committed.
    try program.run(
      Ledger.transaction.dropLast().map { $0.replacingOccurrences(of: "{n}", with: "2") })
    try program.crash()
    for opener in Self.programs {
      let copy = try folder.copy()
      for wrong in Self.wrongLayouts(version) {
        let program = try DatabaseProgram(opener)
        #expect(throws: DatabaseProgram.Refusal.self, "\(opener), \(wrong.testDescription)") {
          try program.open(copy.database, wrong)
          try program.run("SELECT count(*) FROM ledger")
        }
        try? program.close()
      }
      for reader in Self.programs {
        let last = try copy.copy()
        let program = try DatabaseProgram(reader, opening: last.database, layout)
        #expect(try Ledger.checkedNumber(program) == 1, "\(opener), then \(reader)")
      }
    }
  }

  private static func wrongLayouts(_ version: Int) -> [DatabaseLayout] {
    let key = "x'" + String(repeating: "77", count: 32) + "'"
    // With a raw key, versions 2 and 3 are the same.
    let others = (1...4).filter { $0 != version && !($0 + version == 5 && $0 != 1 && $0 != 4) }
    return [DatabaseLayout(key: key, compatibility: version)]
      + others.map { DatabaseLayout(compatibility: $0) }
      + [DatabaseLayout(compatibility: version, pageSize: version == 4 ? 1024 : 4096)]
  }
}
