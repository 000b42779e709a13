import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// What may be asked depends on where a request comes from.
struct OriginTests {
  private func peer(_ kinds: AgentEvidence.Kind...) -> Peer {
    Peer(
      user: geteuid(), process: getpid(),
      evidence: kinds.map { AgentEvidence($0, "x") } + [.init(.user, String(geteuid()))])
  }

  /// The whole table, written a second time: y for each operation that is allowed.
  @Test func theTableIsAsWritten() {
    let expected: [GuardedOperation: String] = [
      // own program, sandbox, system unit, forwarded
      .status: "yyy-", .lock: "yyy-", .unlock: "y-y-", .use: "yyy-",
      .giveToApplications: "y---", .readGrants: "y---",
      .changeGrants: "y---", .readLog: "y---", .sshList: "yyyy", .sshSign: "yyyy",
      .sshBind: "yyyy", .sshChangeKeys: "yyy-", .sshLock: "yyy-", .sshUnlock: "y---",
    ]
    #expect(expected.count == GuardedOperation.allCases.count)
    for operation in GuardedOperation.allCases {
      let row = Origin.allCases.map { operation.origins.contains($0) ? "y" : "-" }.joined()
      #expect(row == expected[operation], "\(operation)")
    }
  }

  @Test func evidenceDecidesTheOrigin() {
    #expect(Origin(peer()) == .ownProgram && Origin(peer(.program)) == .ownProgram)
    #expect(Origin(peer(.label, .unit)) == .sandbox && Origin(peer(.flatpak)) == .sandbox)
    #expect(Origin(peer(.unit)) == .systemUnit)
    for kinds in [peer(), peer(.label), peer(.unit)] {
      #expect(Origin(kinds, isForwarded: true) == .forwarded)
    }
  }

  /// A program in a sandbox learns the lock state, and neither places nor other programs.
  @Test func aSandboxSeesLittle() throws {
    let run = try AgentRun()
    try run.unlock()
    func code(_ request: AgentRequest, _ peer: Peer) -> AtRestError.Code? {
      guard case .refused(let error) = run.service.answer(request, to: peer) else { return nil }
      return error.code
    }
    let passcode = AgentRun.secret(AgentRun.passcode)
    let grant = AgentGrant(AgentEvidence(.flatpak, "x"), groups: ["mail"], mayWrite: false)
    let requests: [AgentRequest] = [
      .log(count: 1), .grants, .addGrant(grant, passcode: passcode),
      .removeGrant("x", passcode: passcode), .unlock(passcode: passcode),
    ]
    for request in requests { #expect(code(request, peer(.flatpak)) == .notPermitted) }
    // Controls: a program without a sandbox may ask for the same.
    #expect(code(.log(count: 1), peer()) == nil && code(.grants, peer()) == nil)
    #expect(code(requests[2], peer()) == nil)
    // The grant for the sandbox counts.
    #expect(code(.get(AgentRun.mail, groups: []), peer(.flatpak)) == nil)
    func status(_ peer: Peer) throws -> AgentStatus {
      guard case .document(let data) = run.service.answer(.status, to: peer) else {
        throw AtRestError(.system, "No status.", remedy: "")
      }
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .iso8601
      return try decoder.decode(AgentStatus.self, from: data)
    }
    let inside = try status(peer(.flatpak))
    #expect(inside.isUnlocked && inside.folder == "")
    #expect(try status(peer()).folder == run.location.store.path)
    // A lock always locks.
    #expect(code(.lock, peer(.flatpak)) == nil && !run.service.isUnlocked)
  }
}
