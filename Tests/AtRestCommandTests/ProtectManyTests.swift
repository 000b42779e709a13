import Foundation
import Testing

/// Protecting a folder says what it will do with many files, and leaves out what is not the user's.
@Suite struct ProtectManyTests {
  private func run(_ count: Int) throws -> CommandRun {
    let run = try CommandRun.withStore()
    try run.makeFolder("f/sub")
    for number in 0..<count {
      _ = try run.file(number % 2 == 0 ? "f/\(number)" : "f/sub/\(number)", "0123456789")
    }
    return run
  }

  private func copies(_ run: CommandRun) throws -> Int {
    (try run.names("f") + run.names("f/sub")).count { $0.hasSuffix(".protected") }
  }

  @Test func manyFilesNeedYesWithoutATerminal() throws {
    let run = try run(101)
    let refused = try run("protect", "--remove", "f")
    #expect(refused.status == 2 && refused.notes.contains("--yes"))
    #expect(refused.notes.contains("101 files with 0.0 MB"))
    #expect(refused.notes.contains("the originals are removed"))
    #expect(try copies(run) == 0 && run.text("f/0") == "0123456789")
    #expect(try run("protect", "--yes", "f").status == 0)
    #expect(try copies(run) == 101)
  }

  /// Control: fewer files, and files that are named one by one, are protected at once.
  @Test func fewOrNamedFilesNeedNoQuestion() throws {
    let few = try run(100)
    #expect(try few("protect", "f").status == 0)
    #expect(try copies(few) == 100)
    let named = try run(202)
    let files = try named.names("f").filter { $0 != "sub" }.map { "f/\($0)" }
    #expect(files.count == 101)
    #expect(try named.run(["protect"] + files, input: nil).status == 0)
  }

  #if os(Linux)
    @Test(arguments: [("no", 0), ("protect", 101)])
    func onATerminalTheWordIsAskedFor(_ answer: String, _ count: Int) throws {
      let run = try run(101)
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start("\(command) protect f", run)
      #expect(terminal.read(until: "to continue").contains("the originals stay"))
      terminal.write("\(answer)\n")
      process.waitUntilExit()
      #expect(try copies(run) == count)
      #expect((process.terminationStatus == 0) == (count > 0))
    }

    @Test(arguments: ["/", "/proc", "/sys", "/proc/self/task"])
    func theSystemIsRefused(_ folder: String) throws {
      let run = try run(1)
      let refused = try run("protect", "--yes", folder)
      #expect(refused.status == 2 && refused.notes.contains("\(folder) "))
      // Control: a folder of the user beside it is protected all the same.
      #expect(try run("protect", folder, "f").status == 2)
      #expect(try copies(run) == 1)
    }

    /// The search stays on one file system. Mounting needs a namespace in which the user is root.
    @Test func anotherFileSystemIsLeftOut() throws {
      let run = try run(2)
      try run.makeFolder("f/mount")
      let unshare = "/usr/bin/unshare"
      let mount = "mount -t tmpfs none f/mount && echo x > f/mount/x"
      func inNamespace(_ script: String) throws -> CommandRun.Result {
        try run.execute(unshare, ["-r", "-m", "/bin/sh", "-c", script])
      }
      guard FileManager.default.isExecutableFile(atPath: unshare),
        try inNamespace(mount).status == 0
      else { return }
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let done = try inNamespace("\(mount) && \(command) protect f && ls f/mount")
      #expect(done.status == 0 && done.text == "x\n")
      #expect(done.notes.contains("f/mount is on another file system, skipped"))
      #expect(try copies(run) == 2)
      // Control: a mount that is named is protected.
      let named = try inNamespace("\(mount) && \(command) protect f/mount && ls f/mount")
      #expect(named.text == "x\nx.protected\n")
    }
  #endif

  @Test func aStoreThatTheCommandDoesNotUseIsLeftOut() throws {
    let run = try run(1)
    let other = try CommandRun.withStore()
    for name in ["store", "device"] {
      try FileManager.default.copyItem(
        at: other.folder.appendingPathComponent(name),
        to: run.folder.appendingPathComponent("f/sub/\(name)"))
    }
    let before = try run.names("f/sub/store") + run.names("f/sub/device")
    let done = try run("protect", "--remove", "f")
    #expect(done.status == 0 && done.notes.contains("f/sub/store is a store of AtRest, skipped"))
    #expect(try run.names("f/sub/store") + run.names("f/sub/device") == before)
    // Control: the file beside it is protected.
    #expect(run.exists("f/0.protected") && !run.exists("f/0"))
  }
}
