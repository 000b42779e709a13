import Foundation
import Testing

/// A transaction for which the disk has no space is rolled back, and the next one works.
struct FullDiskTests {
  /// With a small cache, SQLite writes pages before the commit, and writes some of them twice.
  @Test(arguments: [
    ("wal", 2000), ("wal", 10), ("delete", 10),
  ])
  func transactionsAreWholeOrAbsent(mode: String, cache: Int) throws {
    let scratch = try Scratch()
    let recording = scratch.folder.appendingPathComponent("recording")
    let worker = try Worker(scratch.file, recording: recording)
    try worker.run("PRAGMA journal_mode = \(mode)")
    try worker.run("PRAGMA cache_size = \(cache)")
    try worker.run("CREATE TABLE note(id INTEGER PRIMARY KEY, turn, text)")
    try worker.run("INSERT INTO note VALUES(0, 0, zeroblob(3000))")
    for _ in 0..<6 { try worker.run("INSERT INTO note SELECT NULL, 0, text FROM note") }
    var failures = 0
    var last = 0
    for turn in 1...24 {
      try worker.run(".full \(turn)")
      let isDone = isCommitted(turn, with: worker)
      try worker.run(".full 0")
      _ = try? worker.run("ROLLBACK")
      if isDone { last = turn } else { failures += 1 }
      // Another process agrees.
      for reader in [worker, try Worker(scratch.file)] {
        try #expect(
          reader.run("SELECT count(*), min(turn), max(turn) FROM note") == ["64|\(last)|\(last)"])
        try #expect(reader.run("PRAGMA integrity_check") == ["ok"])
      }
      if turn.isMultiple(of: 5) {
        last = -turn
        try worker.run("UPDATE note SET turn = \(last)")
      }
    }
    #expect(failures > 0)
    worker.end()
    let again = try Worker(scratch.file)
    try #expect(again.run("SELECT DISTINCT turn FROM note") == ["\(last)"])
  }

  /// Changes each row twice, and a third time in a savepoint that is rolled back.
  private func isCommitted(_ turn: Int, with worker: Worker) -> Bool {
    let statements = [
      "BEGIN", "UPDATE note SET turn = -1", "SAVEPOINT changes", "UPDATE note SET turn = -2",
      "ROLLBACK TO changes", "UPDATE note SET turn = \(turn)", "COMMIT",
    ]
    for statement in statements {
      do {
        try worker.run(statement)
      } catch {
        return false
      }
    }
    return true
  }
}
