import Foundation
import Testing

/// Three processes of two programs write to one database at once. No transaction is lost.
@Suite(.enabled(if: Implementation.peersAreInstalled)) struct ConcurrentWriterTests {
  private static let count =
    ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full" ? 1000 : 150

  @Test(
    arguments: [
      [.atRest, .sqlcipher, .atRest], [.sqlcipher, .atRest, .sqlcipher],
      [.atRest, .sqlite3mc, .atRest],
    ] as [[Implementation]])
  func noTransactionIsLostInALog(_ implementations: [Implementation]) throws {
    try write(implementations, mode: "wal")
  }

  /// All programs hold a lock while they write in these modes, and journals remain for no one.
  @Test(
    arguments: [
      [.atRest, .sqlcipher, .atRest], [.sqlcipher, .atRest, .sqlcipher],
    ] as [[Implementation]], ["delete", "persist"])
  func noTransactionIsLostInAJournal(_ implementations: [Implementation], mode: String) throws {
    try write(implementations, mode: mode)
  }

  private func write(_ implementations: [Implementation], mode: String) throws {
    let folder = try DatabaseFolder()
    let maker = try DatabaseProgram(.sqlcipher, opening: folder.database)
    try maker.run("PRAGMA journal_mode = \(mode)")
    try maker.run([
      "CREATE TABLE counter (number INTEGER NOT NULL)", "INSERT INTO counter VALUES (0)",
      "CREATE TABLE entry (writer INTEGER, number INTEGER, text, PRIMARY KEY (writer, number))",
    ])
    let writers = try implementations.map { try DatabaseProgram($0, opening: folder.database) }
    for (index, writer) in writers.enumerated() {
      try writer.run("PRAGMA journal_mode = \(mode)")
      try writer.run("PRAGMA wal_autocheckpoint = 50")
      try writer.run("PRAGMA synchronous = NORMAL")
      try writer.run(Ledger.smallCache)
      try writer.startLoop(
        [
          "BEGIN IMMEDIATE", "UPDATE counter SET number = number + 1",
          "INSERT INTO entry VALUES (\(index), {n}, printf('%01000d', {n}))", "COMMIT",
        ], count: Self.count)
    }
    for writer in writers {
      var last = 0
      while last < Self.count, let round = try writer.nextRound() { last = round }
      #expect(last == Self.count)
    }
    for reader in writers + [maker] {
      #expect(
        try reader.value("SELECT number FROM counter") == "\(Self.count * writers.count)")
      #expect(
        try reader.run("SELECT writer, count(*) FROM entry GROUP BY writer ORDER BY writer")
          == writers.indices.map { ["\($0)", "\(Self.count)"] })
      #expect(
        try reader.value("SELECT count(*) FROM entry WHERE text <> printf('%01000d', number)")
          == "0")
      #expect(try reader.value("PRAGMA integrity_check") == "ok")
    }
  }
}
