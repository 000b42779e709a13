import AtRestCrypto
import AtRestDatabase
import Foundation
import Testing

/// A log is recovered only with the state that it belongs to.
struct OlderLogTests {
  @Test func anOlderLogIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let crashed = try scratch.contentsAfterCrash("UPDATE t SET b = 2")
    let log = try #require(crashed["notes.db-wal"])
    // The log is recovered and copied, and more follows.
    try scratch.run(
      "UPDATE t SET b = 3 WHERE a = 1", "PRAGMA wal_checkpoint(TRUNCATE)", "UPDATE t SET b = 4")
    try log.write(to: scratch.url("-wal"))
    #expect(scratch.refusal() == .rolledBack)
    // The database goes on without it.
    try EncryptedDatabase.acceptOlder(at: scratch.file, key: Scratch.rawKey())
    #expect(try scratch.rows().get().allSatisfy { $0.hasSuffix("=4") })
    #expect(FileManager.default.fileExists(atPath: scratch.url("-wal-refused").path))
  }

  /// The log of the last checkpoint has what the database has, unless it was cut.
  @Test(arguments: [true, false]) func theCopiedLogChangesNothing(isCut: Bool) throws {
    let scratch = try Scratch()
    try scratch.fill()
    let crashed = try scratch.contentsAfterCrash("UPDATE t SET b = 2", "UPDATE t SET b = 3")
    let log = try #require(crashed["notes.db-wal"])
    #expect(try scratch.rows().get().allSatisfy { $0.hasSuffix("=3") })
    try log.prefix(isCut ? 32 + 7 * (24 + 4096) : log.count).write(to: scratch.url("-wal"))
    #expect(try scratch.rows().get().allSatisfy { $0.hasSuffix("=3") })
    #expect(try scratch.isCurrent())
  }

  /// Control: the same log beside the database that it belongs to is recovered.
  @Test func theOwnLogIsRecovered() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let crashed = try scratch.contentsAfterCrash("UPDATE t SET b = 2")
    #expect(crashed["notes.db-wal"]!.count > 4096)
    #expect(try scratch.rows().get() == (1...5).map { "\($0)=2" })
  }

  @Test func aLogInPlaintextIsRefused() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let other = try Scratch()
    let worker = try Worker(other.file, key: "-")
    try worker.run("PRAGMA journal_mode = wal")
    try worker.run("CREATE TABLE t(a, b)")
    worker.kill()
    try FileManager.default.copyItem(at: other.url("-wal"), to: scratch.url("-wal"))
    #expect(scratch.refusal() == .damaged)
  }
}
