#if os(Linux)
  import Foundation
  import Testing

  /// A copy for whose disk it is too large. The message says what is needed, and nothing is left.
  @Suite(.enabled(if: TimeNamespaceTests.mount != nil, "no mount namespaces"))
  struct FullCopyDiskTests {
    /// Runs the command in the folder, where `small` is a disk of 300 KiB, and lists that disk.
    private func result(_ run: CommandRun, _ arguments: [String]) throws -> CommandRun.Result {
      let script =
        "mount -t tmpfs -o size=300k,mode=700 none small && { \"$0\" \"$@\"; code=$?; ls -A small; exit $code; }"
      return try run.execute(
        "/usr/bin/unshare",
        try #require(TimeNamespaceTests.mount) + ["sh", "-c", script, CommandRun.binary().path]
          + arguments)
    }

    private static let rows =
      "CREATE TABLE t AS WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
      + "SELECT i, randomblob(4000) AS b FROM n"

    @Test(arguments: ["export", "import"]) func theMessageSaysWhatIsNeeded(verb: String) throws {
      let run = try CommandRun()
      try run.makeFolder("small")
      let key = ["--raw-key-file", try run.file("key", String(repeating: "0f", count: 32))]
      func database(_ verb: String, _ rest: String...) throws -> CommandRun.Result {
        try run.run(["database", verb] + key + rest, input: nil)
      }
      #expect(try database("shell", "--new", "notes.db", Self.rows).status == 0)
      if verb == "import" { #expect(try database("export", "notes.db", "plain.db").status == 0) }
      let source = verb == "export" ? "notes.db" : "plain.db"
      let full = try result(run, ["database", verb] + key + [source, "small/copy.db"])
      #expect(full.status == 1)
      #expect(full.text == "")
      #expect(full.notes.contains("small/copy.db is full: "), "\(full.notes)")
      #expect(
        full.notes.contains(" kB are free, and about 2.") && full.notes.contains(" MB are needed."))
      #expect(full.notes.contains("Make room on this disk"))
      // Control: there is room for a smaller one.
      #expect(try database("shell", "notes.db", "DELETE FROM t WHERE i > 20; VACUUM").status == 0)
      if verb == "import" {
        try FileManager.default.removeItem(at: run.folder.appendingPathComponent("plain.db"))
        #expect(try database("export", "notes.db", "plain.db").status == 0)
      }
      let done = try result(run, ["database", verb] + key + [source, "small/copy.db"])
      #expect(done.status == 0 && done.text == "copy.db\n", "\(done.notes)")
    }
  }
#endif
