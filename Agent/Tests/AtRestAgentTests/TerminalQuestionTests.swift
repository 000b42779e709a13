import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The agent asks on the terminal from which it was started.
@Suite(.enabled(if: AgentRun.isInstalled("python3"), "needs python3"))
struct TerminalQuestionTests {
  /// Runs the agent on a terminal, and types what is given for each text that appears.
  private static let script = """
    import json, os, pty, select, sys
    typed = json.loads(sys.argv[1])
    child, terminal = pty.fork()
    if child == 0: os.execv(sys.argv[2], sys.argv[2:])
    print(child, flush=True)
    seen = ""
    while True:
        try: part = os.read(terminal, 1024)
        except OSError: break
        if not part: break
        seen += part.decode()
        open(os.environ["SEEN"], "a").write(part.decode())
        while typed and typed[0][0] in seen:
            seen = seen.split(typed[0][0], 1)[1]
            os.write(terminal, (typed.pop(0)[1] + "\\n").encode())
    """

  @Test func answersAreTyped() throws {
    let run = try AgentRun()
    // The agent of the test's own gives way to the program.
    let socket = run.folder.appendingPathComponent("terminal/agent").path
    let typed = """
      [["never? ", "once"], ["never? ", "perhaps"], ["never? ", "always"],
       ["group \\"bank\\": ", "\(AgentRun.passcode)"]]
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c", Self.script, typed, try AgentProgram.path(), "--ask", "terminal", "--store",
      run.location.store.path, "--device", run.location.device.path, "--socket", socket, "--log",
      run.folder.path,
    ]
    let seen = run.folder.appendingPathComponent("seen")
    process.environment = ProcessInfo.processInfo.environment.merging(["SEEN": seen.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.launchInTurn()
    let child = try #require(
      Int32(
        String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
          .trimmingCharacters(in: .newlines)))
    defer {
      kill(child, SIGTERM)
      process.waitUntilExit()
    }
    eventually { (try? AgentConnection(to: socket)) != nil }
    let agent = try AgentConnection(to: socket)
    try agent.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    #expect(try run.text(AgentRun.mail, over: agent) == "mail secret")
    // Another word is no answer.
    #expect(throws: AtRestError.self) { try run.text(AgentRun.mail, over: agent) }
    let bank = PrimaryKey.genericPassword(service: "bank", account: "eva", group: "bank")
    for _ in 0..<2 { #expect(try run.text(bank, over: agent) == "bank secret") }
    let grants: [AgentGrant] = try agent.document(.grants)
    #expect(grants.map(\.groups) == [["bank"]])
    let text = try String(contentsOf: seen, encoding: .utf8)
    #expect(text.contains("Another program of yours could produce it."))
    // What was typed for the question is shown, and the passcode is not.
    #expect(text.contains("always") && !text.contains(AgentRun.passcode))
  }
}
