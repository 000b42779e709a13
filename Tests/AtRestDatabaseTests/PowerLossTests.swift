import Foundation
import Testing

/// After a power loss, every transaction that was answered is there.
struct PowerLossTests {
  @Test(arguments: ["wal", "delete", "persist"])
  func answeredTransactionsSurvive(mode: String) throws {
    let scratch = try Scratch()
    let recording = try record(in: scratch, mode: mode)
    var dice = Dice(11)
    let first = recording.events.count / 3
    for turn in 0..<(Ledger.isLong ? 300 : 15) {
      let point = Int.random(in: first..<recording.events.count, using: &dice)
      let copy = scratch.folder.appendingPathComponent("copy-\(turn)")
      try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
      for (name, data) in recording.disk(lostBefore: point, using: &dice) {
        try data.write(to: copy.appendingPathComponent(name))
      }
      let count = try Ledger.check(copy.appendingPathComponent("notes.db"))
      let answered = recording.marks(before: point) - Self.statementsBefore
      #expect((answered...answered + 1).contains(count), "\(mode), before event \(point)")
      try FileManager.default.removeItem(at: copy)
    }
  }

  /// Control: a database that does not sync loses transactions that were answered, or breaks.
  @Test func lossesAreDetected() throws {
    let scratch = try Scratch()
    let recording = try record(in: scratch, mode: "delete", synchronous: "OFF")
    var dice = Dice(13)
    var isLost = false
    for turn in 0..<20 where !isLost {
      let files = recording.disk(lostBefore: recording.events.count, using: &dice)
      let copy = scratch.folder.appendingPathComponent("copy-\(turn).db")
      try (files["notes.db"] ?? Data()).write(to: copy)
      let worker = try? Worker(copy)
      isLost = (try? worker?.run("SELECT count(*) FROM entry")) != ["\(Self.entries)"]
    }
    #expect(isLost)
  }

  private static let entries = 12
  /// The statements of the ledger, and one more.
  private static let statementsBefore = 8

  private func record(
    in scratch: Scratch, mode: String, synchronous: String = "FULL"
  ) throws -> Recording {
    let file = scratch.folder.appendingPathComponent("recording")
    let worker = try Worker(scratch.file, recording: file)
    try Ledger.make(with: worker, mode: mode)
    try worker.run("PRAGMA synchronous = \(synchronous)")
    for _ in 0..<Self.entries { try worker.run(Ledger.entry) }
    worker.kill()
    return try Recording(file)
  }
}
