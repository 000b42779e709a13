#if os(Linux)
  @_spi(Tools) import AtRestKeychain
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// A program in a root of its own does not pass for one of the system.
  @Suite(
    .enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare, python3 and user namespaces"))
  struct SandboxTests {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")
      .resolvingSymlinksInPath().path

    /// The moment at which a program hides what it is from other programs of its user.
    private enum Hiding {
      case never, beforeConnecting, afterTheGreeting
    }

    private func get(
      _ run: AgentRun, isSandboxed: Bool, hiding: Hiding = .never
    ) throws -> String {
      // The interpreter's file has the same path and contents, and another number.
      let script = """
        set -e
        mount -t tmpfs none "$PLACE"
        install -m 755 "$PYTHON" "$PLACE/python"
        mount --bind "$PLACE/python" "$PYTHON"
        exec "$PYTHON" -c "$CODE" "$SOCKET"
        """
      let hide = "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n"
      let greeting = """
        s.sendall(struct.pack(">I", 18) + head(0))
        s.recv(struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0], socket.MSG_WAITALL)

        """
      var get = ProgramGrantTests.get
      if hiding == .beforeConnecting { get = hide + get }
      if hiding == .afterTheGreeting {
        let connect = "s.connect(sys.argv[1])\n"
        get = get.replacingOccurrences(of: connect, with: connect + greeting + hide)
      }
      let place = run.folder.appendingPathComponent("place-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let values = [
        "PLACE": place.path, "PYTHON": Self.python, "SOCKET": run.socket,
        "CODE": AgentRun.pythonHead + get,
      ]
      return try isSandboxed
        ? run.execute("/usr/bin/unshare", ["-Urm", "/bin/bash", "-c", script], with: values).text
        : run.execute(Self.python, ["-c", values["CODE"]!, run.socket]).text
    }

    @Test func aGrantForAProgramDoesNotFit() throws {
      let run = try AgentRun()
      try run.unlock()
      try run.give(
        AgentGrant(
          AgentEvidence(.systemProgram, Self.python), groups: ["mail"], mayWrite: false))
      let inside = try get(run, isSandboxed: true)
      #expect(inside.contains("not-permitted"), "\(inside)")
      // Control: the same program outside.
      #expect(try get(run, isSandboxed: false).contains("mail secret"))
      // Not even a grant for sandboxes gives the other file the name of the program.
      try run.give(
        AgentGrant(
          AgentEvidence(.systemProgram, Self.python), groups: ["mail"], mayWrite: false,
          isForSandboxes: true))
      #expect(try get(run, isSandboxed: true).contains("not-permitted"))
    }

    @Test func aGrantForEveryProgramDoesNotFitUnlessItSaysSo() throws {
      let run = try AgentRun()
      try run.unlock()
      try run.grant("mail")
      #expect(try get(run, isSandboxed: true).contains("not-permitted"))
      #expect(try get(run, isSandboxed: false).contains("mail secret"))
      try run.give(
        AgentGrant(
          AgentEvidence(.user, String(geteuid())), groups: ["mail"], mayWrite: false,
          isForSandboxes: true))
      #expect(try get(run, isSandboxed: true).contains("mail secret"))
    }

    /// A program that hides what it is counts as one in a sandbox.
    @Test(.enabled(if: geteuid() != 0, "root sees everything"))
    func whatCannotBeSeenIsASandbox() throws {
      let run = try AgentRun()
      try run.unlock()
      try run.grant("mail")
      let hidden = try get(run, isSandboxed: false, hiding: .beforeConnecting)
      #expect(hidden.contains("not-permitted"), "\(hidden)")
      // Control: it is the same program without that call.
      #expect(try get(run, isSandboxed: false).contains("mail secret"))
    }

    /// A program that waits for the answer to its greeting was seen, and may hide then, as `atrest` does.
    /// The agent first needs to know the program afterwards.
    @Test func aProgramIsSeenBeforeTheGreetingIsAnswered() throws {
      let run = try AgentRun()
      try run.unlock()
      try run.give(
        AgentGrant(
          AgentEvidence(.systemProgram, Self.python), groups: ["mail"], mayWrite: false))
      let answer = try get(run, isSandboxed: false, hiding: .afterTheGreeting)
      #expect(answer.contains("mail secret"), "\(answer)")
      // Control: what was seen of a sandbox counts too.
      let inside = try get(run, isSandboxed: true, hiding: .afterTheGreeting)
      #expect(inside.contains("not-permitted"), "\(inside)")
    }
  }
#endif
