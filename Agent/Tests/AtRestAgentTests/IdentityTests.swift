import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The agent recognises the processes that ask.
struct IdentityTests {
  @Test func theProgramOfThisProcessIsFound() throws {
    let run = try AgentRun()
    let status: AgentStatus = try run.connect().document(.status)
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let program = try #require(
      status.evidence.first { $0.kind == .program || $0.kind == .systemProgram })
    #expect(program.value == own)
    #expect(!program.holdsAgainstOtherPrograms && !program.holdsInSandboxes)
  }

  @Test func flatpakApplications() {
    let text = "[Application]\nname=org.example.Mail\nruntime=x\n[Instance]\nname=other\n"
    #expect(FlatpakInfo.application(in: text) == "org.example.Mail")
    #expect(FlatpakInfo.application(in: "[Instance]\nname=other\n") == nil)
    #expect(FlatpakInfo.application(in: "") == nil)
  }

  private static let canSwitchUsers =
    geteuid() == 0 && AgentRun.isInstalled("setpriv") && AgentRun.isInstalled("python3")

  private func asNobody(
    _ run: AgentRun, _ script: String, _ path: String
  ) throws -> (status: Int32, text: String) {
    try run.execute(
      "/usr/bin/setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script, path])
  }

  /// The permissions of the socket keep other users out; if those are lost, the agent still does.
  @Test(.enabled(if: canSwitchUsers, "needs root, setpriv and python3"))
  func anotherUserIsRefused() throws {
    let run = try AgentRun()
    let script =
      AgentRun.pythonHead + """
        import socket, struct, sys
        s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
        s.sendall(struct.pack(">I", 18) + head(1)); print(s.recv(4096))
        """
    let kept = try asNobody(run, script, run.socket)
    #expect(kept.text.contains("Permission"), "\(kept.text)")
    for path in [run.folder.path, run.folder.path + "/run"] { chmod(path, 0o755) }
    chmod(run.socket, 0o666)
    let refused = try asNobody(run, script, run.socket)
    #expect(refused.text.contains("not-permitted"), "\(refused.text)")
    // Control: the owner gets the status by the same bytes.
    let own = try run.execute("/usr/bin/python3", ["-c", script, run.socket])
    #expect(own.text.contains("isUnlocked"), "\(own.text)")
  }

  /// A client gives no passcode to an agent of another user, to which a symbolic link leads.
  @Test(.enabled(if: canSwitchUsers, "needs root, setpriv and python3"))
  func aFalseAgentIsRefused() throws {
    let run = try AgentRun()
    let folder = run.folder.appendingPathComponent("false")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for path in [run.folder.path, folder.path] { chmod(path, 0o777) }
    let path = folder.appendingPathComponent("agent").path
    let script = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
      if os.fork(): os._exit(0)
      # The parent's end is recognised by a descriptor that this process has too.
      for f in {int(f) for f in os.listdir("/proc/self/fd")} - {0, s.fileno()}:
        try: os.close(f)
        except OSError: pass
      s.settimeout(120)
      try: s.accept()[0].recv(1)
      except Exception: pass
      """
    #expect(try asNobody(run, script, path).status == 0)
    let link = run.folder.appendingPathComponent("link").path
    symlink(path, link)
    let refusal = #expect(throws: AtRestError.self) { try AgentConnection(to: link) }
    #expect(refusal?.code == .notPermitted)
    // Control: a link to the real agent works.
    let good = run.folder.appendingPathComponent("good").path
    symlink(run.socket, good)
    #expect(throws: Never.self) { try AgentConnection(to: good).send(.status) }
  }
}
