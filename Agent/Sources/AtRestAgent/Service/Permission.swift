import AtRestCrypto
import AtRestKeychain

/// The access groups that a process may use.
struct Permission: Hashable {
  /// The groups. `*` stands for all.
  let groups: [String]
  /// The groups whose items may also be changed.
  let writable: [String]
  /// The groups that the peer wants to use; all that are granted if it is empty.
  private let claim: [String]

  /// Combines the grants that fit a peer, narrowed by what the peer claims.
  init(_ grants: [AgentGrant], for peer: Peer, claim: [String]) {
    let fitting = grants.filter { peer.evidence.contains($0.evidence) }
    groups = Self.narrowed(fitting.flatMap(\.groups), to: claim)
    writable = Self.narrowed(fitting.filter(\.mayWrite).flatMap(\.groups), to: claim)
    self.claim = claim
  }

  private static func narrowed(_ granted: [String], to claim: [String]) -> [String] {
    var result: [String] = []
    let isEverything = granted.contains(AgentGrant.allGroups)
    let wanted = claim.isEmpty ? (isEverything ? [AgentGrant.allGroups] : granted) : claim
    for group in wanted where isEverything || granted.contains(group) {
      guard group != GrantBook.group, !result.contains(group) else { continue }
      // This group has no items, so it is not one in which an item is found or added.
      if group == AgentGrant.filesGroup && claim != [AgentGrant.filesGroup] { continue }
      // A claim of everything is no narrower than the grants.
      if group == AgentGrant.allGroups && !isEverything { continue }
      result.append(group)
    }
    return result
  }

  /// Returns the identity with which the keychain is used.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if nothing is granted, or not all that is claimed:
  ///   an answer from a part of the groups would be incomplete.
  func identity(writing: Bool, peer: Peer) throws -> ApplicationIdentity {
    let groups = writing ? writable : groups
    guard let first = groups.first, claim.allSatisfy(groups.contains) else {
      let missing = claim.filter { !groups.contains($0) }
      let seen = peer.evidence.map(\.description).joined(separator: ", ")
      guard missing != [AgentGrant.filesGroup] else {
        throw AtRestError(
          .notPermitted,
          "The agent has no grant for this program to \(writing ? "write" : "read") protected files "
            + "(\(seen)).",
          remedy: "Give one with atrest grant add --group \(AgentGrant.filesGroup)"
            + "\(writing ? " --write" : ""), or unlock the store in the program itself.")
      }
      throw AtRestError(
        .notPermitted,
        "The agent has no grant for this program"
          + (missing.isEmpty ? "" : " to use \(missing.joined(separator: ", "))")
          + "\(writing ? " and to change items" : "") (\(seen)).",
        remedy: "Give one with atrest grant add.")
    }
    let identity =
      groups.contains(AgentGrant.allGroups)
      ? ApplicationIdentity.owner() : ApplicationIdentity(first, keychainAccessGroups: groups)
    return identity.excluding(GrantBook.group)
  }
}
