import AtRestDatabase
import Foundation
import Testing

/// What the format cannot show: pages, files and logs of an earlier version of the database are authentic, and so
/// is a log without its end. `SECURITY.md` says so.
struct OlderDataTests {
  private static func rows(_ version: Int) -> [String] { (1...5).map { "\($0)=\(version)" } }

  /// Two versions of a database without a log.
  private func versions() throws -> (scratch: Scratch, older: Data, newer: Data) {
    let scratch = try Scratch()
    try scratch.fill()
    let older = try Data(contentsOf: scratch.file)
    try scratch.run("UPDATE t SET b = 2")
    return (scratch, older, try Data(contentsOf: scratch.file))
  }

  @Test func anOlderPageIsRead() throws {
    let (scratch, older, newer) = try versions()
    var mixed = newer
    let page = 3 * 4096..<4 * 4096
    try #require(older[page] != newer[page])
    mixed.replaceSubrange(page, with: older[page])
    try mixed.write(to: scratch.file)
    #expect(try scratch.isIntact())
    let rows = Set(try scratch.rows().get())
    #expect(rows != Set(Self.rows(2)))
    #expect(rows.isSubset(of: Self.rows(1) + Self.rows(2)))
  }

  @Test func anOlderDatabaseIsRead() throws {
    let (scratch, older, _) = try versions()
    try older.write(to: scratch.file)
    #expect(try scratch.isIntact())
    #expect(try scratch.rows().get() == Self.rows(1))
  }

  @Test func anOlderLogIsRecovered() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let log = try #require(try scratch.contentsAfterCrash("UPDATE t SET b = 2")["notes.db-wal"])
    // The log is recovered and copied, and more follows.
    try scratch.run("UPDATE t SET b = 3")
    #expect(try scratch.rows().get() == Self.rows(3))
    try log.write(to: scratch.url("-wal"))
    #expect(try scratch.rows().get() == Self.rows(2))
  }

  @Test func theEndOfALogCanBeMissing() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let files = try scratch.contentsAfterCrash("UPDATE t SET b = 2", "UPDATE t SET b = 3")
    let log = try #require(files["notes.db-wal"])
    // Both transactions have the same number of frames.
    for (size, version) in [(log.count, 3), ((log.count - 32) / 2 + 32, 2), (0, 1)] {
      try scratch.restore(files)
      try log.prefix(size).write(to: scratch.url("-wal"))
      #expect(try scratch.rows().get() == Self.rows(version))
      #expect(try scratch.isIntact())
    }
  }

  /// The pages that the interrupted transaction has written stay.
  @Test func aJournalCanBeMissing() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let worker = try Worker(scratch.file)
    try worker.run("PRAGMA cache_size = 1")
    try worker.run("BEGIN")
    try worker.run("UPDATE t SET b = 2")
    worker.kill()
    let files = try scratch.contents()
    try #require(files["notes.db-journal"] != nil)
    // Control: with the journal, the transaction is rolled back.
    #expect(try scratch.rows().get() == Self.rows(1))
    try scratch.restore(files.filter { $0.key != "notes.db-journal" })
    #expect(try scratch.rows().get() != Self.rows(1))
  }
}
