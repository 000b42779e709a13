import Foundation
import Testing

/// A signal during an export leaves no plaintext.
struct ExportInterruptionTests {
  /// Whoever presses Ctrl-C once more leaves nothing either.
  @Test(arguments: [1, 100]) func aSignalRemovesWhatWasWritten(presses: Int) throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let file = run.folder.appendingPathComponent("notes.db").path
    let rows =
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000)"
    let made = try run(
      "database", "shell", "--new", "--raw-key-file", key, file,
      "CREATE TABLE t AS \(rows) SELECT i, zeroblob(6000) AS b FROM n")
    try #require(made.status == 0, "\(made.notes)")
    // The signal may come too late, so it is tried again.
    for _ in 0..<20 {
      let copy = run.folder.appendingPathComponent("plain.db").path
      let process = Process()
      process.executableURL = try CommandRun.binary()
      process.arguments = ["database", "export", "--raw-key-file", key, file, copy]
      process.standardError = FileHandle.nullDevice
      // The threads that run tests block signals, and child processes inherit that.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      try process.run()
      while process.isRunning, access(copy + ".atrest-new", F_OK) != 0 { usleep(200) }
      for _ in 0..<presses where process.isRunning {
        process.terminate()
        if presses > 1 { usleep(100) }
      }
      process.waitUntilExit()
      let names = try run.names("").filter { $0.hasPrefix("plain") }
      guard !run.exists("plain.db") else {
        #expect(names == ["plain.db"])
        try FileManager.default.removeItem(atPath: copy)
        continue
      }
      #expect(names == [])
      #expect(process.terminationReason == .uncaughtSignal)
      // Control: without a signal, the copy is made.
      #expect(try run("database", "export", "--raw-key-file", key, file, copy).status == 0)
      #expect(run.exists("plain.db"))
      return
    }
    Issue.record("The signal never came in time")
  }
}
