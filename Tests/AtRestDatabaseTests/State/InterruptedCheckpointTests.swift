import AtRestCrypto
import AtRestDatabase
import Foundation
import Testing

/// After a crash in a checkpoint, the log is needed, and then every row is there.
struct InterruptedCheckpointTests {
  @Test func theLogOfACheckpointIsNeeded() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let before = try scratch.contents()
    let file = scratch.folder.appendingPathComponent("recording")
    let worker = try Worker(scratch.file, format: "atrest", recording: file)
    try worker.run("UPDATE t SET b = 2")
    try worker.run("PRAGMA wal_checkpoint(TRUNCATE)")
    worker.kill()
    let recording = try Recording(file, before: before)
    var refused = 0
    var dice = Dice(1)
    for point in recording.events.indices {
      guard case .write("notes.db", _, _) = recording.events[point] else { continue }
      // The state says that a checkpoint has begun.
      let files = recording.disk(lostBefore: point + 1, using: &dice)
      try scratch.restore(files)
      #expect(try scratch.rows().get() == (1...5).map { "\($0)=2" })
      #expect(try scratch.isCurrent())
      try scratch.restore(files.filter { $0.key != "notes.db-wal" })
      #expect(scratch.refusal() == .damaged)
      refused += 1
    }
    #expect(refused > 3)
  }
}
