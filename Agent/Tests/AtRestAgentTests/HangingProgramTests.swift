#if os(Linux)
  import AtRestCrypto
  @_spi(Tools) import AtRestKeychain
  @_spi(Tools) import AtRestTestSupport
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// Programs on a file system that does not answer hold up only each other.
  @Suite(.enabled(if: HangingFileSystem.isPossible, "needs root, python3 and /dev/fuse"))
  struct HangingProgramTests {
    /// Starts the programs of a file system, which ask the agent for an item when the file `go` exists.
    private func start(
      _ run: AgentRun, _ files: HangingFileSystem, numbers: Range<Int>
    ) throws -> [Int32] {
      let script = run.folder.appendingPathComponent("get.py").path
      // The whole program has to be in memory before its file system hangs.
      let code = """
        import ctypes, os, sys, time
        import socket, struct
        ctypes.CDLL(None).mlockall(3)
        open(sys.argv[2] + ".ready", "w").close()
        while not os.path.exists(sys.argv[3]): time.sleep(0.01)

        """
      let get = ProgramGrantTests.get.replacingOccurrences(
        of: "print(", with: "open(sys.argv[2] + \".answer\", \"wb\").write(")
      try Data((code + AgentRun.pythonHead + get).utf8).write(to: URL(fileURLWithPath: script))
      let go = run.folder.appendingPathComponent("go").path
      let processes = try numbers.map { number in
        try run.start(
          "'\(files.place)/python\(number)' '\(script)' '\(run.socket)' '\(mark(run, number))' '\(go)'",
          with: ["PYTHONHOME": "/usr"])
      }
      #expect(
        eventually {
          numbers.allSatisfy { FileManager.default.fileExists(atPath: mark(run, $0) + ".ready") }
        })
      return processes
    }

    private func mark(_ run: AgentRun, _ number: Int) -> String {
      run.folder.appendingPathComponent("program-\(number)").path
    }

    /// What a program was answered, or nil if it has written nothing yet.
    private func answer(_ run: AgentRun, _ number: Int) -> String? {
      let data = try? Data(contentsOf: URL(fileURLWithPath: mark(run, number) + ".answer"))
      return data.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    }

    private func go(_ run: AgentRun) throws {
      try Data().write(to: run.folder.appendingPathComponent("go"))
    }

    /// Gets an item over a new connection. Returns nil if there is no answer in time.
    private func honestAnswer(_ run: AgentRun) throws -> String? {
      let client = try RawClient(run.socket)
      client.limit(seconds: 60)
      let get = try AgentRequest.get(AgentRun.mail, groups: []).encoded(for: run.service.identity)
      client.write(RawClient.frame(Array(Data(copying: get))))
      return client.answer().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func otherProgramsAreIdentified() throws {
      let run = try AgentRun()
      try run.grant("mail")
      try run.unlock()
      let files = try HangingFileSystem(run)
      let numbers = 0..<HangingFileSystem.programs
      let processes = try start(run, files, numbers: numbers)
      defer { for process in processes { kill(process, SIGKILL) } }
      try files.hang()
      try go(run)
      // All of them have connected, and wait for their identification.
      #expect(eventually { run.busyConnections >= numbers.count })
      for _ in 0..<3 {
        #expect(try honestAnswer(run)?.contains("mail secret") == true)
      }
      #expect(numbers.allSatisfy { answer(run, $0) == nil })
      // Control: they were only waiting for their file system.
      files.end()
      #expect(eventually { numbers.allSatisfy { answer(run, $0) != nil } })
    }

    /// A grant that does not rest on the contents of a program is not delayed by them.
    @Test func aProgramIsNotReadForAGrantByPath() throws {
      let run = try AgentRun()
      let files = try HangingFileSystem(run)
      let path = files.place + "/python0"
      try run.give(AgentGrant(AgentEvidence(.program, path), groups: ["mail"], mayWrite: false))
      try run.unlock()
      let processes = try start(run, files, numbers: 0..<1)
      defer { for process in processes { kill(process, SIGKILL) } }
      // Its contents are not there to read, while its name is.
      try files.hangReading()
      try go(run)
      #expect(eventually { answer(run, 0) != nil })
      #expect(answer(run, 0)?.contains("mail secret") == true)
    }

    /// Programs that hang leave room for those on local file systems.
    @Test func localProgramsAreRead() throws {
      let run = try AgentRun()
      let files = try HangingFileSystem(run)
      let digests = ProgramDigests(patience: 120)
      func program(_ path: String) throws -> RunningProgram {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return RunningProgram(path: path, file: .init(status), isSystem: false)
      }
      let hanging = try (0..<HangingFileSystem.programs).map {
        try program("\(files.place)/python\($0)")
      }
      try files.hangReading()
      for program in hanging { Thread.detachNewThread { _ = digests.digest(of: program) } }
      #expect(eventually { digests.readingCount > 3 })
      let local = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
      #expect(try digests.digest(of: program(local))?.count == 64)
      files.end()
    }

    /// A grant for one version of a program waits for its contents, but not for ever.
    @Test func aProgramThatCannotBeReadIsRefused() throws {
      let run = try AgentRun()
      let files = try HangingFileSystem(run)
      let path = files.place + "/python0"
      let digest = String(repeating: "ab", count: 32)
      try run.give(
        AgentGrant(AgentEvidence(.program, "\(path) \(digest)"), groups: ["mail"], mayWrite: false))
      try run.unlock()
      let processes = try start(run, files, numbers: 0..<1)
      defer { for process in processes { kill(process, SIGKILL) } }
      try files.hangReading()
      try go(run)
      #expect(eventually { answer(run, 0) != nil })
      #expect(answer(run, 0)?.contains("not-permitted") == true)
    }
  }
#endif
