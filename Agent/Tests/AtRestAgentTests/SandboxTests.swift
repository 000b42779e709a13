#if os(Linux)
  import AtRestKeychain
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// A program in a root of its own does not pass for one of the system.
  @Suite(
    .enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare, python3 and user namespaces"))
  struct SandboxTests {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")
      .resolvingSymlinksInPath().path

    private func get(_ run: AgentRun, isSandboxed: Bool, hidden: Bool = false) throws -> String {
      // The interpreter's file has the same path and contents, and another number.
      let script = """
        set -e
        mount -t tmpfs none "$PLACE"
        install -m 755 "$PYTHON" "$PLACE/python"
        mount --bind "$PLACE/python" "$PYTHON"
        exec "$PYTHON" -c "$CODE" "$SOCKET"
        """
      let hide =
        hidden ? "import ctypes; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)\n" : ""
      let place = run.folder.appendingPathComponent("place-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let values = [
        "PLACE": place.path, "PYTHON": Self.python, "SOCKET": run.socket,
        "CODE": AgentRun.pythonHead + hide + ProgramGrantTests.get,
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
      #expect(try get(run, isSandboxed: false, hidden: true).contains("not-permitted"))
      // Control: it is the same program without that call.
      #expect(try get(run, isSandboxed: false).contains("mail secret"))
    }
  }
#endif
