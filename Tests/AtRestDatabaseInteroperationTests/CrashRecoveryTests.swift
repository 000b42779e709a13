import Foundation
import Testing

/// A program crashes and leaves a write-ahead log or a rollback journal. Another one recovers the
/// database: every committed row is present, and no row of an uncommitted transaction.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct CrashRecoveryTests {
  static let layouts: [DatabaseLayout] = [
    .standard, DatabaseLayout(pageSize: 1024), DatabaseLayout(pageSize: 65_536),
    DatabaseLayout(key: "x'\(ExchangeTests.key)'", salt: ExchangeTests.salt),
  ]

  @Test(arguments: [Pair(.atRest, .sqlcipher), Pair(.sqlcipher, .atRest)], layouts)
  func aLogIsRecovered(_ pair: Pair, _ layout: DatabaseLayout) throws {
    #expect(try recovered(pair, layout, mode: "wal", open: .none) == 3)
    #expect(try recovered(pair, layout, mode: "wal", open: .written) == 3)
    #expect(try recovered(pair, layout, mode: "wal", open: .overwritten) == 3)
  }

  @Test(arguments: [Pair(.atRest, .sqlite3mc), Pair(.sqlite3mc, .atRest)])
  func aLogIsRecoveredWithSQLite3MultipleCiphers(_ pair: Pair) throws {
    #expect(try recovered(pair, .standard, mode: "wal", open: .none) == 3)
    #expect(try recovered(pair, .standard, mode: "wal", open: .written) == 3)
  }

  @Test(
    arguments: [Pair(.atRest, .sqlcipher), Pair(.sqlcipher, .atRest)],
    layouts)
  func aJournalIsRolledBack(_ pair: Pair, _ layout: DatabaseLayout) throws {
    for mode in ["delete", "persist", "truncate"] {
      #expect(try recovered(pair, layout, mode: mode, open: .written) == 3, "\(mode)")
      #expect(try recovered(pair, layout, mode: mode, open: .overwritten) == 3, "\(mode)")
    }
  }

  /// The journals of SQLite3MultipleCiphers have checksums over plaintext.
  @Test func aJournalOfSQLite3MultipleCiphersIsRolledBack() throws {
    #expect(
      try recovered(Pair(.sqlite3mc, .atRest), .standard, mode: "delete", open: .written) == 3)
  }

  /// The control: SQLCipher does not roll back a journal of SQLite3MultipleCiphers completely, and
  /// the check of the rows reports it.
  @Test func aJournalThatIsNotRolledBackIsFound() throws {
    let folder = try crashed(.sqlite3mc, .standard, mode: "delete", open: .written)
    let reader = try DatabaseProgram(.sqlcipher, opening: folder.database)
    #expect(try reader.value("PRAGMA integrity_check") == "ok")
    #expect(try reader.run("SELECT DISTINCT number FROM ledger") != [["3"]])
  }

  private enum OpenTransaction {
    /// None.
    case none
    /// Pages of it are in the file or in the log.
    case written
    /// Some of these pages were written twice.
    case overwritten
  }

  private func recovered(
    _ pair: Pair, _ layout: DatabaseLayout, mode: String, open: OpenTransaction
  ) throws -> Int {
    let folder = try crashed(pair.first, layout, mode: mode, open: open)
    if mode == "wal" {
      #expect(try Data(contentsOf: folder.log).count > 32)
    } else {
      #expect(try Data(contentsOf: folder.journal).prefix(8).hex == "d9d505f920a163d7")
    }
    let before = try folder.copy()
    let other = try DatabaseProgram(pair.second, opening: folder.database, layout)
    let number = try Ledger.checkedNumber(other)
    #expect(try other.value("SELECT count(*) FROM filler WHERE text LIKE '1%'") == "0")
    #expect(try other.value("SELECT count(*) FROM filler WHERE text LIKE '0%'") == "40")
    // The program that crashed recovers the same.
    let same = try DatabaseProgram(pair.first, opening: before.database, layout)
    #expect(try Ledger.checkedNumber(same) == number)
    // The recovered database can be written.
    try other.run(Self.transaction(number + 1))
    #expect(try Ledger.checkedNumber(other) == number + 1)
    try other.close()
    try same.close()
    try same.open(folder.database, layout)
    #expect(try Ledger.checkedNumber(same) == number + 1)
    return number
  }

  /// Returns the folder of a program that committed three transactions, and crashed in a fourth one.
  private func crashed(
    _ implementation: Implementation, _ layout: DatabaseLayout, mode: String, open: OpenTransaction
  ) throws -> DatabaseFolder {
    let folder = try DatabaseFolder()
    let writer = try DatabaseProgram(implementation, opening: folder.database, layout)
    try writer.run("PRAGMA journal_mode = \(mode)")
    try writer.run("PRAGMA wal_autocheckpoint = 0")
    try writer.run(Ledger.smallCache)
    try writer.run(Ledger.creation)
    // More pages than the cache has, whatever their size is.
    try writer.run("CREATE TABLE filler (text)")
    try writer.run(
      """
      INSERT INTO filler SELECT printf('%0*d', \(2 * (layout.pageSize ?? 4096)), id) FROM ledger \
      WHERE id <= 40
      """)
    for number in 1...3 { try writer.run(Self.transaction(number)) }
    if open != .none { try writer.run(Array(Self.transaction(4).dropLast())) }
    if open != .none { try writer.run("UPDATE filler SET text = replace(text, '0', '1')") }
    if open == .overwritten {
      try writer.run("UPDATE ledger SET text = 'overwritten'")
      try writer.run("UPDATE ledger SET text = printf('%0200d', -id)")
    }
    try writer.crash()
    return folder
  }

  private static func transaction(_ number: Int) -> [String] {
    Ledger.transaction.map { $0.replacingOccurrences(of: "{n}", with: "\(number)") }
  }
}

extension Data {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}
