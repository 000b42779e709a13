import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@_spi(Tools) @testable import AtRestAgent

/// The agent decides who may use which items.
struct GrantTests {
  private let bank = PrimaryKey.genericPassword(service: "bank", account: "eva", group: "bank")

  @Test func withoutAGrantNothingIsGiven() throws {
    let run = try AgentRun()
    try run.unlock()
    let listing = AgentRequest.list(.genericPassword, [:], groups: [])
    for request in [.get(AgentRun.mail, groups: []), listing, .delete(AgentRun.mail, groups: [])] {
      #expect(run.refusal(request) == .notPermitted, "\(request)")
    }
    try run.grant("mail")
    #expect(try run.text(AgentRun.mail) == "mail secret")
    // Another group stays closed.
    #expect(run.refusal(.get(bank, groups: [])) == .missingEntitlement)
    guard case .items(let listed) = try run.connect().send(listing) else {
      throw CancellationError()
    }
    #expect(listed.map(\.primaryKey) == [AgentRun.mail])
  }

  @Test func aClaimOnlyNarrows() throws {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail", "other")
    #expect(try run.text(AgentRun.mail, groups: ["mail"]) == "mail secret")
    #expect(run.refusal(.get(AgentRun.mail, groups: ["other"])) == .missingEntitlement)
    #expect(run.refusal(.get(bank, groups: ["bank"])) == .notPermitted)
    #expect(run.refusal(.get(bank, groups: ["*"])) == .notPermitted)
    // An answer from a part of the groups would be incomplete.
    #expect(run.refusal(.get(AgentRun.mail, groups: ["mail", "bank"])) == .notPermitted)
    try run.grant("*")
    #expect(try run.text(bank) == "bank secret")
    #expect(try run.text(bank, groups: ["bank"]) == "bank secret")
    #expect(run.refusal(.get(bank, groups: ["mail"])) == .missingEntitlement)
  }

  @Test func readingIsNotWriting() throws {
    let run = try AgentRun()
    try run.unlock()
    let reading = try run.grant("mail")
    let change = AgentRequest.set(
      AgentRun.mail, secret: AgentRun.secret("new"), accessible: .whenUnlocked, groups: [])
    #expect(run.refusal(change) == .notPermitted)
    try run.grant("mail", mayWrite: true)
    #expect(run.refusal(change) == nil)
    #expect(try run.text(AgentRun.mail) == "new")
    #expect(run.refusal(.delete(AgentRun.mail, groups: [])) == nil)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .notFound)
    #expect(run.refusal(.removeGrant(reading.id, passcode: AgentRun.secret("x"))) != nil)
  }

  /// A program of the owner cannot give itself a grant.
  @Test func grantsNeedThePasscode() throws {
    let run = try AgentRun()
    let wanted = AgentGrant(AgentEvidence(.user, "0"), groups: ["mail"], mayWrite: true)
    let request = AgentRequest.addGrant(wanted, passcode: AgentRun.secret("wrong"))
    #expect(run.refusal(request) == .authenticationFailed)
    let given = try run.grant("*", mayWrite: true)
    try run.unlock()
    // Not even with access to everything: the agent's own items are no client's.
    let own = PrimaryKey.genericPassword(service: "grant", account: "x", group: "atrest.agent")
    let forged = AgentRequest.set(
      own, secret: AgentRun.secret("{}"), accessible: .alwaysThisDeviceOnly, groups: [])
    #expect(run.refusal(forged) == .missingEntitlement)
    for group in ["atrest.agent", nil] {
      let key = PrimaryKey.genericPassword(service: "grant", account: given.id, group: group)
      #expect(run.refusal(.delete(key, groups: [])) != nil)
    }
    #expect(try (run.connect().document(.grants) as [AgentGrant]).map(\.id) == [given.id])
    let passcode = AgentRun.secret(AgentRun.passcode)
    #expect(run.refusal(.removeGrant(given.id, passcode: passcode)) == nil)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .notPermitted)
  }

  @Test func grantsOutliveTheAgent() throws {
    let run = try AgentRun()
    let given = try run.grant("mail")
    try run.restart()
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
    try run.unlock()
    let grants: [AgentGrant] = try run.connect().document(.grants)
    #expect(grants.map(\.id) == [given.id])
    #expect(try run.text(AgentRun.mail) == "mail secret")
  }

  @Test func onlyFittingEvidenceCounts() {
    let peer = Peer(user: 1, process: 1, evidence: [.init(.flatpak, "org.a"), .init(.user, "1")])
    func groups(_ evidence: AgentEvidence) -> [String] {
      let grant = AgentGrant(evidence, groups: ["g"], mayWrite: false)
      return Permission([grant].filter { $0.fits(peer) }, claim: []).groups(writing: false)
    }
    #expect(groups(.init(.flatpak, "org.a")) == ["g"])
    for other in [
      AgentEvidence(.flatpak, "org.b"), .init(.label, "org.a"), .init(.unit, "org.a"),
      .init(.user, "2"), .init(.program, "org.a"),
    ] {
      #expect(groups(other) == [])
    }
  }
}
