import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The access groups that a process may use. Names of groups are compared as bytes.
struct Permission {
  private let fitting: [AgentGrant]
  /// The groups that the peer wants to use; all that are granted if it is empty.
  private let claim: [String]

  /// Combines the grants that fit a peer, narrowed by what the peer claims.
  init(_ fitting: [AgentGrant], claim: [String]) { (self.fitting, self.claim) = (fitting, claim) }

  /// Returns the groups, or those whose items may also be changed. `*` stands for all.
  func groups(writing: Bool) -> [String] {
    Self.narrowed(fitting.filter { $0.mayWrite || !writing }.flatMap(\.groups), to: claim)
  }

  private static func narrowed(_ granted: [String], to claim: [String]) -> [String] {
    var result: [String] = []
    let isEverything = granted.contains(AgentGrant.allGroups)
    let wanted = claim.isEmpty ? (isEverything ? [AgentGrant.allGroups] : granted) : claim
    for group in wanted where isEverything || granted.containsBytes(of: group) {
      guard !group.hasSameBytes(as: GrantBook.group) else { continue }
      // This group has no items, so it is not one in which an item is found or added.
      if group == AgentGrant.filesGroup && claim != [AgentGrant.filesGroup] { continue }
      // A claim of everything is no narrower than the grants.
      if group == AgentGrant.allGroups && !isEverything { continue }
      result.append(group)
    }
    return result.uniqueBytes()
  }

  /// Returns the identity with which the keychain is used.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if nothing is granted, or not all that is claimed:
  ///   an answer from a part of the groups would be incomplete.
  func identity(writing: Bool, peer: Peer) throws -> ApplicationIdentity {
    let groups = groups(writing: writing)
    guard let first = groups.first, claim.allSatisfy(groups.containsBytes(of:)) else {
      throw refusal(missing: claim.filter { !groups.containsBytes(of: $0) }, writing: writing, peer)
    }
    return groups.contains(AgentGrant.allGroups)
      ? ApplicationIdentity.owner() : ApplicationIdentity(first, keychainAccessGroups: groups)
  }

  private func refusal(missing: [String], writing: Bool, _ peer: Peer) -> AtRestError {
    let seen = peer.evidence.map(\.description).joined(separator: ", ")
    let what =
      missing == [AgentGrant.filesGroup]
      ? " to \(writing ? "write" : "read") protected files"
      : (missing.isEmpty ? "" : " to use \(missing.joined(separator: ", "))")
        + (writing ? " and to change items" : "")
    return AtRestError(
      .notPermitted, "The agent has no grant for this program\(what) (\(seen)).",
      remedy: Self.remedy(missing, writing: writing, peer))
  }

  /// The command that gives what is missing.
  private static func remedy(_ missing: [String], writing: Bool, _ peer: Peer) -> String {
    let groups = missing.isEmpty ? [ApplicationIdentity.owner().defaultGroup] : missing
    var command = "atrest grant add"
    switch peer.evidenceOfCommand {
    case .some(let words): command += " " + words
    case nil: command += " --every-program" + (peer.isSandboxed ? " --in-sandboxes" : "")
    }
    command += groups.map { " --group \($0)" }.joined() + (writing ? " --write" : "")
    return peer.terminal == nil
      ? "Give one: \(command)."
      : "Run atrest unlock on this terminal, or give a grant: \(command)."
  }
}

extension Peer {
  /// The option of `atrest grant add` for the process, or nil if only its user is known.
  fileprivate var evidenceOfCommand: String? {
    let usable = evidence.filter { !isSandboxed || $0.holdsInSandboxes }
    for fact in usable {
      switch fact.kind {
      case .label: return "--label '\(fact.value)'"
      case .flatpak: return "--flatpak \(fact.value)"
      case .unit: return "--unit \(fact.value)"
      case .unixGroup: return "--unix-group \(fact.value)"
      case .systemProgram: return "--program \(fact.value)"
      case .program: return "--program \(fact.value.split(separator: " ").first ?? "")"
      case .terminal, .user: continue
      }
    }
    return nil
  }
}
