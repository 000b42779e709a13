#if os(Linux)
  import Foundation
  import Testing

  /// Another process of the user cannot read the memory of `atrest`, or attach to it.
  @Suite struct UnreadableProgramTests {
    /// Returns the owner of the files of a running process in /proc. The kernel gives those of a
    /// process that made itself unreadable to root, and lets only root open its memory.
    private func owner(of process: Process) -> uid_t? {
      var information = stat()
      let path = "/proc/\(process.processIdentifier)/mem"
      return stat(path, &information) == 0 ? information.st_uid : nil
    }

    /// Starts a program as a user who is not root, and waits until it reads its standard input.
    private func start(_ program: String, _ arguments: [String], in run: CommandRun) throws
      -> Process
    {
      let process = Process()
      var command = [program] + arguments
      if geteuid() == 0 {
        command =
          ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] + command
      }
      process.executableURL = URL(fileURLWithPath: command.removeFirst())
      process.arguments = command
      process.environment = run.environment()
      process.currentDirectoryURL = run.folder
      process.standardInput = Pipe()
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }

    /// Waits until the program sleeps in a read, and returns the owner of its files.
    private func ownerWhileReading(_ program: String, _ arguments: [String], in run: CommandRun)
      throws -> uid_t?
    {
      let process = try start(program, arguments, in: run)
      defer {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      let name = URL(fileURLWithPath: program).lastPathComponent
      let folder = "/proc/\(process.processIdentifier)"
      while process.isRunning {
        let status = (try? String(contentsOfFile: "\(folder)/status", encoding: .utf8)) ?? ""
        if status.hasPrefix("Name:\t\(name)\n"), status.contains("State:\tS") {
          return owner(of: process)
        }
        sched_yield()
      }
      Issue.record("\(name) ended before it read its input")
      return nil
    }

    @Test(.timeLimit(.minutes(2))) func itsFilesInProcBelongToRoot() throws {
      let run = try CommandRun()
      chmod(run.folder.path, 0o755)
      let phrase = try run.file("phrase", "wren under 7 copper kettles")
      chmod(phrase, 0o644)
      let found = try ownerWhileReading(
        CommandRun.binary().path, ["protect", "--passphrase-file", phrase, "-o", "-", "-"], in: run)
      #expect(found == 0)
      // Control: those of another program belong to its user.
      let user: uid_t = geteuid() == 0 ? 65534 : geteuid()
      #expect(try ownerWhileReading("/usr/bin/cat", [], in: run) == user)
    }
  }
#endif
