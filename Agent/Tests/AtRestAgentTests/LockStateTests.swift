import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// All clients see one lock state.
struct LockStateTests {
  @Test func oneClientUnlocksAndLocksForAll() throws {
    let run = try AgentRun()
    try run.grant("mail")
    let (first, second) = (try run.connect(), try run.connect())
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
    try first.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    #expect(try run.text(AgentRun.mail, over: second) == "mail secret")
    try second.send(.lock)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
    // A missing item is not reported as locked once the store is unlocked.
    try run.unlock()
    let missing = AgentRequest.get(
      .genericPassword(service: "other", account: "eva", group: "mail"), groups: [])
    #expect(run.refusal(missing) == .notFound)
  }

  @Test func aWrongPasscodeIsCountedAndRefused() throws {
    let run = try AgentRun()
    #expect(run.refusal(.unlock(passcode: AgentRun.secret("wrong"))) == .authenticationFailed)
    #expect(!run.service.isUnlocked)
    #expect(try run.location.openKeybag().failedAttempts() == 1)
    try run.unlock()
    #expect(run.service.isUnlocked)
  }

  @Test func withoutUseTheStoreLocks() throws {
    let run = try AgentRun(idleSeconds: 3600)
    try run.unlock()
    run.service.lockIfIdle(now: .now + .seconds(3500))
    #expect(run.service.isUnlocked)
    run.service.lockIfIdle(now: .now + .seconds(3601))
    #expect(!run.service.isUnlocked)
  }

  @Test func statusNamesTheState() throws {
    let run = try AgentRun()
    func status() throws -> AgentStatus { try run.connect().document(.status) }
    let locked = try status()
    #expect(!locked.isUnlocked && locked.hasPasscode)
    #expect(locked.evidence.contains(AgentEvidence(.user, String(geteuid()))))
    try run.unlock()
    #expect(try status().isUnlocked)
  }
}
