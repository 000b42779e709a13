import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The decision what a process may use. Every request for items, keys or files comes here.
extension AgentService {
  /// Returns what grants, or the owner's terminal, permit to a process.
  ///
  /// - Parameter claim: The access groups that the process wants to use, which only narrow the others.
  /// - Throws: ``AtRestError/Code/locked`` if the store was not unlocked since the agent's start.
  func permission(for peer: Peer, claim: [String]) throws -> Permission {
    var fitting = try grants().filter { $0.fits(peer) }
    if let terminal = terminals.evidence(of: peer) {
      fitting.append(AgentGrant(terminal, groups: [AgentGrant.allGroups], mayWrite: true))
    }
    return Permission(fitting, claim: claim)
  }

  /// The facts about a process, for the log and the status.
  func evidence(of peer: Peer) -> [AgentEvidence] {
    [terminals.evidence(of: peer)].compactMap { $0 } + peer.evidence
  }
}
