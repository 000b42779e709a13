import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Starting the agent is one command, or none where a service manager listens for it.
struct StartTests {
  @Test func itStartsAndStopsByOneCommand() throws {
    let run = try AgentRun()
    let atrest = try CommandLineProgram(run)
    #expect(try atrest("agent", "stop").status == 3)
    let started = try atrest("agent", "start", "--idle", "77")
    defer { _ = try? atrest("agent", "stop") }
    #expect(started.status == 0, "\(started.text)")
    // Its socket has the name of the store.
    let socket = "\(atrest.values["XDG_RUNTIME_DIR"]!)/atrest/\(run.service.identity)"
    #expect(started.text == socket + "\n")
    let status = try atrest("agent")
    #expect(status.text.contains("after 77 seconds") && status.text.contains(socket), "\(status)")
    // A second start starts nothing, and names the same socket.
    #expect(try atrest("agent", "start").text == socket + "\n")
    #expect(try atrest("agent", "start", "--idle", "77").text == socket + "\n")
    // It cannot give the agent that runs other options.
    for options in [
      ["--idle", "78"], ["--idle", "0"], ["--ask", "/bin/true"],
      ["--ssh-socket", run.folder.path + "/ssh"],
      ["--ssh-socket", run.folder.path + "/passcode/ssh"], ["--bus", "session"],
    ] {
      let other = try run.execute(atrest.path, ["agent", "start"] + options, with: atrest.values)
      #expect(other.status == 1 && other.text.contains("has other options"), "\(other)")
    }
    #expect(try atrest.withPasscode("unlock").status == 0)
    // The state of the store is that of its agent.
    #expect(try atrest("status").text.contains("Lock state: unlocked\n"))
    #expect(try !atrest("status", "--json").text.contains("before-first-unlock"))
    // The device is needed by the agent alone, which has it.
    let typed = try atrest.onTerminal("ATREST_DEVICE=$HOME/none \(atrest.path) unlock && echo done")
    #expect(typed.contains("done"), "\(typed)")
    #expect(try atrest("agent", "stop").status == 0)
    let without = try atrest("status").text
    #expect(without.contains("Agent:      none.") && !without.contains("Lock state: unlocked"))
    #expect(try atrest("agent").status == 3)
    #expect(!FileManager.default.fileExists(atPath: socket))
  }

  /// Agents of two stores of one user do not meet.
  @Test func twoStoresHaveTwoAgents() throws {
    let runs = [try AgentRun(), try AgentRun()]
    var programs = try runs.map { try CommandLineProgram($0) }
    programs[1].values["XDG_RUNTIME_DIR"] = programs[0].values["XDG_RUNTIME_DIR"]
    defer { for program in programs { _ = try? program("agent", "stop") } }
    for program in programs { #expect(try program("agent", "start").status == 0) }
    #expect(try programs[0].withPasscode("unlock").status == 0)
    #expect(try programs[0]("agent").text.contains("unlocked"))
    #expect(try programs[1]("agent").text.contains(" locked"))
    #expect(try programs[1]("lock").status == 0)
    #expect(try programs[0]("agent").text.contains("unlocked"))
  }

  @Test func aFailureIsReported() throws {
    let run = try AgentRun()
    var atrest = try CommandLineProgram(run)
    // Others can write to the folder of its socket.
    let folder = run.folder.appendingPathComponent("open")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("atrest"), withIntermediateDirectories: true)
    chmod(folder.path + "/atrest", 0o777)
    atrest.values["XDG_RUNTIME_DIR"] = folder.path
    let started = try atrest("agent", "start")
    #expect(started.status != 0 && started.text.contains("others can change it"), "\(started)")
    // The agent's advice is that of the command.
    #expect(started.text.contains("\n  Use a folder"), "\(started)")
    atrest.values["ATREST_STORE"] = run.folder.path + "/none"
    #expect(try atrest("agent", "start").status == 3)
  }

  /// The socket of systemd's units starts the agent for the first command that needs it.
  @Test(
    .enabled(
      if: AgentRun.isInstalled("systemd-socket-activate"),
      "systemd-socket-activate is not installed"))
  func aSocketStartsTheAgent() throws {
    let run = try AgentRun()
    let atrest = try CommandLineProgram(run)
    let folder = atrest.values["XDG_RUNTIME_DIR"]! + "/atrest"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // systemd-socket-activate closes what Foundation gives to its children, and so it is no child.
    let process = try run.start(
      """
      systemd-socket-activate -E ATREST_STORE -E ATREST_DEVICE --fdname=agent:ssh \
      -l '\(folder)/agent' -l '\(folder)/ssh' '\(try AgentProgram.path())' --idle 900 \
      --log '\(run.folder.path)'
      """, with: atrest.values)
    defer { kill(process, SIGKILL) }
    eventually { FileManager.default.fileExists(atPath: folder + "/agent") }
    // Nothing but the socket is there.
    #expect(AgentClaimFile(in: run.location.store) == nil)
    #expect(try atrest.withPasscode("unlock").status == 0)
    let status = try atrest("agent")
    #expect(
      status.text.contains("unlocked") && status.text.contains(folder + "/agent"), "\(status)")
    // Control: programs of another store do not take it for theirs.
    let other = try AgentRun()
    var others = try CommandLineProgram(other)
    others.values["XDG_RUNTIME_DIR"] = atrest.values["XDG_RUNTIME_DIR"]
    #expect(try others("lock").status == 3)
    #expect(try atrest("agent").text.contains("unlocked"))
  }
}
