import Foundation
import Testing

/// Somebody who can write to the index of the log (`-shm`) can show a part of a transaction to a connection. No
/// checkpoint makes this permanent.
struct SharedIndexTests {
  /// The header of the index exists twice, in the machine's order of bytes: a sum in the last two of 12 words.
  private static let headerWords = 12
  private static let frameCount = 4

  @Test(arguments: [true, false]) func halfATransactionIsNotFoldedIn(ends: Bool) throws {
    let scratch = try Scratch()
    try scratch.fill(rows: 8)
    let worker = try Worker(scratch.file)
    try worker.run("PRAGMA journal_mode = wal")
    try worker.run("PRAGMA wal_autocheckpoint = 0")
    try worker.run("UPDATE t SET b = CASE WHEN a <= 4 THEN 50 ELSE 150 END")
    let whole = (1...8).map { "\($0)=\($0 <= 4 ? 50 : 150)" }
    let rows = "SELECT a || '=' || b FROM t"
    #expect(try worker.run(rows) == whole)
    try setFrameCount(4, in: scratch.url("-shm"))
    // The index is trusted while the database is open.
    #expect(try worker.run(rows) != whole)
    let error = #expect(throws: Worker.Refusal.self) {
      try worker.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    #expect(error?.message.contains("disk I/O error") == true)
    // The last connection tries it again when it is closed.
    if ends { worker.end() } else { worker.kill() }
    #expect(try scratch.rows().get() == whole)
    #expect(try scratch.isIntact())
  }

  /// Control: without the change, the checkpoint succeeds.
  @Test func aWholeTransactionIsFoldedIn() throws {
    let scratch = try Scratch()
    try scratch.fill(rows: 8)
    let worker = try Worker(scratch.file)
    try worker.run("PRAGMA journal_mode = wal")
    try worker.run("UPDATE t SET b = 50")
    let index = try Data(contentsOf: scratch.url("-shm"))
    let count = index.withUnsafeBytes {
      $0.load(fromByteOffset: 4 * Self.frameCount, as: UInt32.self)
    }
    try setFrameCount(count, in: scratch.url("-shm"))
    #expect(try Data(contentsOf: scratch.url("-shm")) == index)
    #expect(try worker.run("PRAGMA wal_checkpoint(TRUNCATE)") == ["0|0|0"])
  }

  /// A checkpoint beside writers and readers is no false alarm, also if the database becomes shorter.
  @Test func aCheckpointBesideAWriterSucceeds() throws {
    let scratch = try Scratch()
    try scratch.run("PRAGMA journal_mode = wal", "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
    let (writer, reader) = (try Worker(scratch.file), try Worker(scratch.file))
    let checkpointer = try Worker(scratch.file)
    for worker in [writer, reader] { try worker.run("PRAGMA wal_autocheckpoint = 0") }
    for turn in 0..<(Ledger.isLong ? 400 : 40) {
      if turn % 5 == 0 {
        _ = try? reader.run("COMMIT")
        try reader.run("BEGIN")
        _ = try reader.run("SELECT count(*) FROM t")
      }
      writer.send(
        turn % 7 == 6
          ? "VACUUM"
          : turn % 7 == 5
            ? "DELETE FROM t WHERE a % 3 > 0" : "INSERT INTO t(b) VALUES(randomblob(20000))")
      try checkpointer.run("PRAGMA wal_checkpoint(PASSIVE)")
      try writer.answer()
    }
    _ = try? reader.run("COMMIT")
    try checkpointer.run("PRAGMA wal_checkpoint(TRUNCATE)")
    for worker in [writer, reader, checkpointer] { worker.end() }
    #expect(try scratch.isIntact())
  }

  /// Sets the number of frames in both headers, and their sums. Source: sqlite.org/walformat.html.
  private func setFrameCount(_ count: UInt32, in url: URL) throws {
    let file = try FileHandle(forUpdating: url)
    defer { try? file.close() }
    var words = try #require(try file.read(upToCount: 4 * Self.headerWords)).withUnsafeBytes {
      Array($0.bindMemory(to: UInt32.self))
    }
    words[Self.frameCount] = count
    var sum: (UInt32, UInt32) = (0, 0)
    for word in stride(from: 0, to: Self.headerWords - 2, by: 2) {
      sum.0 &+= words[word] &+ sum.1
      sum.1 &+= words[word + 1] &+ sum.0
    }
    words[Self.headerWords - 2] = sum.0
    words[Self.headerWords - 1] = sum.1
    let header = words.withUnsafeBytes { Data($0) }
    try file.seek(toOffset: 0)
    try file.write(contentsOf: header + header)
  }
}
