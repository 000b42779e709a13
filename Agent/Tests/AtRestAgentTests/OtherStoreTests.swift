import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// An agent serves one store, and both sides tell it from others.
struct OtherStoreTests {
  /// A second agent does not take a socket that is in use, and the first one goes on.
  @Test func aSocketInUseIsNotTakenOver() throws {
    let (first, second) = (try AgentRun(), try AgentRun())
    let agent = try AgentProgram(first.location, in: first.folder)
    try agent.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try AgentProgram.path())
    process.arguments = [
      "--store", second.location.store.path, "--device", second.location.device.path, "--socket",
      agent.socket, "--log", second.folder.path,
    ]
    process.standardError = FileHandle.nullDevice
    try process.launchInTurn()
    process.waitUntilExit()
    #expect(process.terminationStatus == 1)
    let connection = try agent.connect()
    #expect(connection.store == first.service.identity)
    #expect(try connection.document(.status, as: AgentStatus.self).isUnlocked)
    // Control: after a crash, the same agent gets the socket.
    agent.kill()
    let next = Process()
    (next.executableURL, next.arguments) = (process.executableURL, process.arguments)
    next.standardError = FileHandle.nullDevice
    try next.launchInTurn()
    defer {
      kill(next.processIdentifier, SIGKILL)
      next.waitUntilExit()
    }
    eventually { (try? agent.connect())?.store == second.service.identity }
    #expect(try agent.connect().store == second.service.identity)
  }

  /// A socket of which nobody holds the lock, such as one of a service manager, is not taken over either.
  @Test func aLiveSocketWithoutALockIsNotTakenOver() throws {
    let run = try AgentRun()
    unlink(run.socket + ".lock")
    let refusal = #expect(throws: AtRestError.self) { _ = try AgentListener.prepare(run.socket) }
    #expect(refusal?.code == .busy)
    #expect(try run.connect().store == run.service.identity)
  }

  /// A request that is meant for another store is refused before it has an effect.
  @Test func everyRequestNamesItsStore() throws {
    let run = try AgentRun(secondsForFrame: 5)
    try run.unlock()
    try run.grant("*", mayWrite: true)
    let other = try #require(StoreIdentity(text: String(repeating: "0a", count: 16)))
    let passcode = AgentRun.secret(AgentRun.passcode)
    let grant = AgentGrant(AgentEvidence(.user, "1"), groups: ["a"], mayWrite: false)
    for request in [
      AgentRequest.status, .unlock(passcode: AgentRun.secret("wrong")), .lock, .grants,
      .log(count: 1), .get(AgentRun.mail, groups: []), .delete(AgentRun.mail, groups: []),
      .addGrant(grant, passcode: passcode), .removeGrant("x", passcode: passcode),
      .fileKey(.wrap(.random(count: 32), under: .complete, file: "f", store: other)),
    ] {
      func code(_ store: StoreIdentity) throws -> AtRestError.Code? {
        let client = try RawClient(run.socket)
        client.limit(seconds: 60)
        client.write(
          RawClient.frame(Array(Data(copying: try request.encoded(for: store)))))
        let answer = try #require(client.answer())
        guard
          case .refused(let error) = try answer.withUnsafeBytes({ try AgentResponse(decoding: $0) })
        else { return nil }
        return error.code
      }
      #expect(try code(other) == .otherStore, "\(request.operation)")
    }
    // The store is still unlocked, and no attempt was counted.
    #expect(run.service.isUnlocked)
    #expect(try run.location.openKeybag().failedAttempts() == 0)
    #expect(try run.text(AgentRun.mail) == "mail secret")
  }

  /// The commands of one store do not reach the agent of another one, wherever it listens.
  @Test func commandsFindTheirOwnAgentOnly() throws {
    let (first, second) = (try AgentRun(), try AgentRun())
    let agent = try AgentProgram(second.location, in: second.folder)
    try agent.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    var atrest = try CommandLineProgram(first)
    atrest.values["ATREST_AGENT"] = agent.socket
    #expect(try atrest.withPasscode("unlock").status == 3)
    #expect(try atrest("lock").status == 3)
    #expect(try agent.connect().document(.status, as: AgentStatus.self).isUnlocked)
    #expect(try second.location.openKeybag().failedAttempts() == 0)
    // Control: with its own agent, they work.
    let own = try AgentProgram(first.location, in: first.folder)
    atrest.values["ATREST_AGENT"] = own.socket
    #expect(try atrest.withPasscode("unlock").status == 0)
    #expect(try own.connect().document(.status, as: AgentStatus.self).isUnlocked)
    #expect(try atrest("lock").status == 0)
    #expect(try !own.connect().document(.status, as: AgentStatus.self).isUnlocked)
    #expect(try agent.connect().document(.status, as: AgentStatus.self).isUnlocked)
  }

  /// Whoever holds a lock on the file `agent` is not taken for an agent that answers.
  @Test func aLockOnTheFileIsNoAgent() throws {
    let run = try AgentRun()
    let claim = try AgentClaim(
      store: run.location.store, socket: run.folder.path + "/nobody",
      identity: run.service.identity)
    defer { withExtendedLifetime(claim) {} }
    let atrest = try CommandLineProgram(run)
    #expect(AgentPlace.socket(ofStore: run.location.store) == nil)
    // Not found would say that an agent can be started.
    #expect(try atrest.withPasscode("unlock").status == 1)
  }

  @Test func theStandardSocketHasTheNameOfTheStore() throws {
    let store = try #require(StoreIdentity(text: String(repeating: "0a", count: 16)))
    let state = URL(fileURLWithPath: "/home/eva/.local/state/atrest")
    #expect(
      AgentPlace.standardSocket(of: store, state: state, environment: ["XDG_RUNTIME_DIR": "/run/7"])
        == "/run/7/atrest/\(store)")
    #expect(
      AgentPlace.standardSocket(of: store, state: state, environment: [:])
        == "/home/eva/.local/state/atrest/agent-\(store)")
  }
}
