import AtRestAgentClient
import AtRestCrypto
import AtRestKeychain

/// The access groups that a process may use.
struct Permission: Hashable {
  /// The groups. `*` stands for all.
  let groups: [String]
  /// The groups whose items may also be changed.
  let writable: [String]

  /// Combines the grants that fit a peer, narrowed by what the peer claims.
  ///
  /// - Parameter claim: The groups that the peer wants to use; all that are granted if it is empty.
  init(_ grants: [AgentGrant], for peer: Peer, claim: [String]) {
    let fitting = grants.filter { peer.evidence.contains($0.evidence) }
    groups = Self.narrowed(fitting.flatMap(\.groups), to: claim)
    writable = Self.narrowed(fitting.filter(\.mayWrite).flatMap(\.groups), to: claim)
  }

  private static func narrowed(_ granted: [String], to claim: [String]) -> [String] {
    var result: [String] = []
    let isEverything = granted.contains(AgentGrant.allGroups)
    let wanted = claim.isEmpty ? (isEverything ? [AgentGrant.allGroups] : granted) : claim
    for group in wanted where isEverything || granted.contains(group) {
      guard group != GrantBook.group, !result.contains(group) else { continue }
      // A claim of everything is no narrower than the grants.
      if group == AgentGrant.allGroups && !isEverything { continue }
      result.append(group)
    }
    return result
  }

  /// Returns the identity with which the keychain is used.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if nothing is granted.
  func identity(writing: Bool, peer: Peer) throws -> ApplicationIdentity {
    let groups = writing ? writable : groups
    guard let first = groups.first else {
      let seen = peer.evidence.map(\.description).joined(separator: ", ")
      throw AtRestError(
        .notPermitted,
        "The agent has no grant for this program\(writing ? " to change items" : "") (\(seen)).",
        remedy: "Give one with atrest grant add.")
    }
    if groups.contains(AgentGrant.allGroups) { return .owner() }
    return ApplicationIdentity(first, keychainAccessGroups: groups)
  }
}
