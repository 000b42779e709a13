import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The program `atrest-agent`.
struct ProgramTests {
  private func start(_ run: AgentRun, _ words: [String], _ socket: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments =
      words.dropFirst() + [
        "--store", run.location.store.path, "--device", run.location.device.path, "--socket",
        socket, "--log", run.folder.path,
      ]
    process.standardError = FileHandle.nullDevice
    try process.launchInTurn()
    return process
  }

  /// Connects as soon as the agent listens.
  private func connect(_ socket: String) throws -> AgentConnection {
    eventually { (try? AgentConnection(to: socket)) != nil }
    return try AgentConnection(to: socket)
  }

  @Test func itIsFoundByTheStoreAndStartsAfterAKill() throws {
    let run = try AgentRun()
    let socket = run.folder.appendingPathComponent("program/agent").path
    #expect(AgentPlace.socket(ofStore: run.location.store) == nil)
    let first = try start(run, [AgentProgram.path()], socket)
    try connect(socket).send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    #expect(AgentPlace.socket(ofStore: run.location.store) == socket)
    // A second agent for the same store ends at once.
    let second = try start(run, [AgentProgram.path()], socket + "2")
    second.waitUntilExit()
    #expect(second.terminationStatus == 1)
    kill(first.processIdentifier, SIGKILL)
    first.waitUntilExit()
    #expect(AgentPlace.socket(ofStore: run.location.store) == nil)
    // The socket is still there, and the next agent replaces it. It starts locked.
    let third = try start(run, [AgentProgram.path()], socket)
    let status: AgentStatus = try connect(socket).document(.status)
    #expect(!status.isUnlocked)
    kill(third.processIdentifier, SIGTERM)
    third.waitUntilExit()
    #expect(third.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "Linux only"))
  func itsMemoryCannotBeRead() throws {
    let run = try AgentRun()
    let socket = run.folder.appendingPathComponent("program/agent").path
    let agent = try start(run, [AgentProgram.path()], socket)
    defer { kill(agent.processIdentifier, SIGKILL) }
    _ = try connect(socket)
    // A process that cannot be dumped belongs to root for the purposes of /proc.
    let limits = try String(
      contentsOfFile: "/proc/\(agent.processIdentifier)/limits", encoding: .utf8)
    let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core") })
    #expect(core.split(separator: " ").filter { $0 == "0" }.count == 2)
  }

  /// Another program of the user cannot attach to it, nor read its memory, environment and descriptors
  /// (`regress/agent-ptrace.sh` of OpenSSH).
  @Test(
    .enabled(
      if: geteuid() != 0 && AgentRun.isInstalled("python3")
        && FileManager.default.fileExists(atPath: "/proc/self/status"),
      "Linux only, needs python3, and root may attach to everything"))
  func noProgramAttachesToIt() throws {
    let run = try AgentRun()
    let socket = run.folder.appendingPathComponent("program/agent").path
    let agent = try start(run, [AgentProgram.path()], socket)
    defer { kill(agent.processIdentifier, SIGKILL) }
    _ = try connect(socket)
    let script = """
      import ctypes, os, sys
      def tries(process):
        found = []
        for name in ("mem", "environ", "maps", "auxv"):
          try: open(f"/proc/{process}/{name}", "rb").read(1); found.append(name)
          except PermissionError: pass
          except OSError: found.append(name)
        for name in ("fd", "map_files"):
          try: os.listdir(f"/proc/{process}/{name}"); found.append(name)
          except PermissionError: pass
        # PTRACE_SEIZE, and PTRACE_DETACH by the end of this process.
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.ptrace(0x4206, process, None, None) == 0: found.append("ptrace")
        return found
      child = os.fork()
      if child == 0:
        import time; time.sleep(600)
      try: print(tries(int(sys.argv[1])), tries(child))
      finally: os.kill(child, 9)
      """
    let result = try run.execute(
      "/usr/bin/python3", ["-c", script, String(agent.processIdentifier)])
    // Control: the same calls about a child of the program.
    #expect(result.text.hasPrefix("[] ['mem'"), "\(result.text)")
    #expect(result.text.hasSuffix("'fd', 'map_files', 'ptrace']\n"), "\(result.text)")
  }

  @Test(
    .enabled(
      if: AgentRun.isInstalled("systemd-socket-activate"),
      "systemd-socket-activate is not installed"))
  func aServiceManagerOpensTheSocket() throws {
    let run = try AgentRun()
    let socket = run.folder.appendingPathComponent("activated").path
    let words = [
      "/usr/bin/systemd-socket-activate", "--fdname=agent", "-l", socket, try AgentProgram.path(),
    ]
    let agent = try start(run, words, socket)
    defer { kill(agent.processIdentifier, SIGKILL) }
    // The first connection starts the agent, and waits until it answers.
    let status: AgentStatus = try connect(socket).document(.status)
    #expect(status.process == agent.processIdentifier)
  }
}
