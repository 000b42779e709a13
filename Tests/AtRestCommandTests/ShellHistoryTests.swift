import Foundation
import Testing

/// `atrest database open` lets SQLite's shell keep no history, which would have values in plaintext.
struct ShellHistoryTests {
  @Test func theShellHasNoPlaceForAHistory() throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let database = run.folder.appendingPathComponent("notes.db").path
    #expect(
      try run(
        "database", "shell", "--new", "--raw-key-file", key, database, "CREATE TABLE t(a)"
      ).status == 0)
    // A shell that says where it would keep the history.
    let shell = try run.file("sqlite3", "#!/bin/sh\necho \"history=$SQLITE_HISTORY\"\n")
    #expect(chmod(shell, 0o700) == 0)
    func history(_ variables: [String: String]) throws -> String {
      try run.run(
        ["database", "open", "--raw-key-file", key, database], input: nil,
        with: variables.merging(["PATH": "\(run.folder.path):/usr/bin:/bin"]) { $1 }
      ).text
    }
    #expect(try history([:]) == "history=/dev/null/none\n")
    // Control: who wants a history can name its file.
    #expect(try history(["SQLITE_HISTORY": "/tmp/own"]) == "history=/tmp/own\n")
  }
}
