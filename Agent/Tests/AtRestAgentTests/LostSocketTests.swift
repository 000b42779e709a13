import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// An agent whose socket was removed or replaced ends, because no program can reach it, and no other agent can
/// serve its store.
struct LostSocketTests {
  @Test(arguments: ["agent", "ssh"], [false, true])
  func theAgentEnds(name: String, isReplaced: Bool) throws {
    let run = try AgentRun()
    let ssh = run.folder.appendingPathComponent("program/ssh").path
    let program = try AgentProgram(run.location, in: run.folder, ["--ssh-socket", ssh])
    try program.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    let path = name == "ssh" ? ssh : program.socket
    #expect(eventually { isListening(path) })
    unlink(path)
    if isReplaced { try Data("another".utf8).write(to: URL(fileURLWithPath: path)) }
    #expect(eventually { !program.isRunning })
    let log = try String(contentsOfFile: run.folder.path + "/agent.log", encoding: .utf8)
    #expect(log.contains("\"operation\":\"lock\"") && log.contains("\"subject\":\"socket gone\""))
    // What is in its place stays, and the sockets that are its own do not.
    let other = name == "ssh" ? program.socket : ssh
    #expect(FileManager.default.fileExists(atPath: path) == isReplaced)
    #expect(!FileManager.default.fileExists(atPath: other))
    unlink(path)
    let next = try AgentProgram(run.location, in: run.folder)
    #expect(try !next.connect().document(.status, as: AgentStatus.self).isUnlocked)
  }

  /// What is looked at is the file, not its name.
  @Test func anotherFileIsNoSocketOfTheAgent() throws {
    let run = try AgentRun()
    let path = run.folder.appendingPathComponent("own").path
    let sockets = BoundSockets()
    close(try sockets.bind(to: run.folder.appendingPathComponent("first").path))
    let file = try sockets.bind(to: path)
    defer { close(file) }
    #expect(sockets.lost == nil)
    rename(path, path + ".moved")
    #expect(sockets.lost == path)
    let other = try AgentListener.bound(to: path)
    defer { close(other) }
    #expect(sockets.lost == path)
    unlink(path)
    rename(path + ".moved", path)
    #expect(sockets.lost == nil)
    sockets.removeAll()
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A new agent can be started at once, and while the former one ends.
  @Test func anotherOneStarts() throws {
    let run = try AgentRun()
    let atrest = try CommandLineProgram(run)
    let socket = try atrest("agent", "start").text.trimmingCharacters(in: .newlines)
    defer { _ = try? atrest("agent", "stop") }
    let former = try run.status(atrest)
    unlink(socket)
    let started = try atrest("agent", "start")
    #expect(started.status == 0 && started.text == socket + "\n", "\(started)")
    let present = try run.status(atrest)
    #expect(present != former)
    #expect(try atrest.withPasscode("unlock").status == 0)
    #expect(try atrest("agent", "stop").status == 0)
  }
}

extension AgentRun {
  /// Returns the line of the agent's state that names its process.
  fileprivate func status(_ atrest: CommandLineProgram) throws -> Substring? {
    try atrest("agent").text.split(separator: "\n").first { $0.hasPrefix("process") }
  }
}
