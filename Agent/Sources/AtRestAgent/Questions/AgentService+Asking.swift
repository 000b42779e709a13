import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// Asking the user about requests without a grant.
extension AgentService {
  /// True if requests may wait for the user, so the thread of a connection must not answer them.
  var asksUser: Bool { questioner.prompt != .never }

  /// Returns the identity with which the keychain is used for a request: by a grant, or because the
  /// user allows it when asked.
  ///
  /// The user is asked only while the store is unlocked, and only about a process for which there is
  /// more evidence than its user. The identity has no other groups than those that are granted and
  /// those that the question names.
  ///
  /// - Parameters:
  ///   - named: The groups that the request names. It uses no others, unless it names none.
  ///   - item: The item of the request, or nil for all items of the groups that the process claims.
  ///   - purpose: The purpose in words, if it is neither reading nor changing items.
  /// - Throws: ``AtRestError/Code/notPermitted``; ``AtRestError/Code/busy``;
  ///   ``AtRestError/Code/locked``.
  func identity(
    for peer: Peer, claim: [String], named: [String] = [], writing: Bool, item: PrimaryKey? = nil,
    purpose: String? = nil
  ) throws -> ApplicationIdentity {
    let permission = try permission(for: peer, claim: claim)
    guard asksUser, let evidence = peer.strongestEvidence, evidence.kind != .user,
      let groups = try asked(permission, claim, named, writing: writing, item: item)
    else { return try permission.identity(writing: writing, peer: peer) }
    let locks = locks
    let question = Question(
      evidence: evidence, item: item, purpose: purpose, groups: groups.missing,
      isForWriting: writing)
    try questioner.ask(question) { end in
      let grant = AgentGrant(evidence, groups: groups.missing, mayWrite: writing)
      try addByAnswer(grant, for: peer) {
        try questioner.prompt.passcode(question.passcodeText, until: end)
      }
    } asked: {
      // A program without a grant can cause questions, and not the answers that allow something.
      let isKnown = Question.Answer(rawValue: $0).map { $0 != .never } ?? false
      try record("ask", question.subject, peer, answer: $0, isKnown: isKnown)
    }
    // The answer may have taken a minute.
    try checkNoLock(since: locks)
    if !groups.granted.isEmpty {
      _ = try self.permission(for: peer, claim: groups.granted).identity(
        writing: writing, peer: peer)
    }
    let all = groups.missing + groups.granted
    return ApplicationIdentity(all[0], keychainAccessGroups: all)
  }

  /// Throws the reason for which the user is not asked to unlock the store for a process.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if there is nobody to ask, or if the process may not unlock the store.
  func checkMayAskToUnlock(for peer: Peer) throws {
    try keybag.checkStore()
    guard questioner.prompt.canAsk, GuardedOperation.unlock.origins.contains(Origin(peer)),
      let question = Self.questionToUnlock(for: peer), questioner.mayAsk(question)
    else { return try checkUnlocked() }
  }

  private static func questionToUnlock(for peer: Peer) -> Question? {
    guard let evidence = peer.strongestEvidence, evidence.kind != .user else { return nil }
    return Question(
      evidence: evidence, item: nil, purpose: unlocking, groups: [], isForWriting: false)
  }

  /// Asks the user for the passcode because a process wants the store unlocked, and unlocks it.
  ///
  /// - Parameter isWanted: Returns false when the process does not wait any more.
  /// - Throws: The errors of asking and of unlocking.
  func askToUnlock(for peer: Peer, while isWanted: () -> Bool) throws {
    guard let question = Self.questionToUnlock(for: peer) else { throw Prompt.nobody }
    do {
      try questioner.passcode(for: question) {
        isWanted() && isLockedStore
      } isSettled: {
        !isLockedStore
      } use: {
        if case .refused(let error) = answer(.unlock(passcode: $0), to: peer.withoutTerminal) {
          throw error
        }
      }
    } catch {
      if !isUnlocked {
        try? record(
          "ask", Self.unlocking, peer, answer: Self.known(error).code.rawValue, isKnown: false)
      }
      throw error
    }
  }

  /// False when there is nothing to unlock any more: the store is unlocked, or was wiped or removed.
  private var isLockedStore: Bool { !isUnlocked && (try? keybag.checkStore()) != nil }

  private static let unlocking = "to unlock the store"

  /// Returns true if a grant allows a process to use a group.
  func isGranted(_ group: String, to peer: Peer, writing: Bool) throws -> Bool {
    let permission = try permission(for: peer, claim: [group])
    return (try? permission.identity(writing: writing, peer: peer)) != nil
  }

  /// Returns the context of an operation, whose reason is the text with which the user is asked for
  /// the proof that an item requires.
  func context(
    of operation: KeychainOperation, _ context: AgentContext, _ identity: ApplicationIdentity,
    for peer: Peer
  ) -> AuthenticationContext {
    guard asksUser, let evidence = peer.strongestEvidence else {
      return context.authenticationContext(reason: context.reason)
    }
    let purpose = operation.key == nil ? "to \(operation.name): \(operation.subject)" : nil
    let question = Question(
      evidence: evidence, item: operation.key, purpose: operation.keyPurpose ?? purpose,
      groups: identity.accessGroups, isForWriting: operation.isWriting)
    return context.authenticationContext(reason: question.proofText(reason: context.reason))
  }

  /// Returns the access groups that a request uses and about which the user is asked, and those that are
  /// granted, or nil if a grant decides.
  private func asked(
    _ permission: Permission, _ claim: [String], _ named: [String], writing: Bool,
    item: PrimaryKey?
  ) throws -> (missing: [String], granted: [String])? {
    let granted = permission.groups(writing: writing)
    guard !granted.contains(AgentGrant.allGroups) else { return nil }
    // A request that names a group outside of what it claims is refused.
    guard claim.isEmpty || named.allSatisfy(claim.containsBytes(of:)) else { return nil }
    var used = named.isEmpty ? claim : named
    if !used.isEmpty, used.allSatisfy(granted.containsBytes(of:)) { return nil }
    // Without any group, those that are granted are searched.
    if used.isEmpty, !granted.isEmpty { return nil }
    guard isUnlocked else {
      throw AtRestError(
        .locked, "The store is locked, and no grant allows this.",
        remedy: "Unlock it with atrest unlock, and try again.")
    }
    if used.isEmpty { used = try item.flatMap { try group(of: $0, writing: writing) } ?? [] }
    guard !used.isEmpty, !used.contains(GrantBook.group), !used.contains(AgentGrant.allGroups)
    else { return nil }
    used = used.reduce(into: []) { if !$0.containsBytes(of: $1) { $0.append($1) } }
    return (
      used.filter { !granted.containsBytes(of: $0) }, used.filter(granted.containsBytes(of:))
    )
  }

  /// Returns the access group of an item for which a request names none. A new item is added to the
  /// owner's group.
  private func group(of item: PrimaryKey, writing: Bool) throws -> [String]? {
    let owner = ApplicationIdentity.owner()
    let found = try keychain(for: owner).items(
      matching: KeychainQuery(
        item.itemClass, item.attributes, synchronizable: item.isSynchronizable ? .yes : .no),
      context: AuthenticationContext(interaction: .skip)
    ).filter { $0.primaryKey.attributes == item.attributes && $0.group != GrantBook.group }
    if found.isEmpty { return writing ? [owner.defaultGroup] : nil }
    return found.count == 1 ? [found[0].group] : nil
  }
}

extension Peer {
  /// The fact by which the user recognises the process.
  fileprivate var strongestEvidence: AgentEvidence? {
    let evidence = evidenceForGrants
    return evidence.first(where: \.holdsAgainstOtherPrograms)
      ?? evidence.first { $0.kind != .user } ?? evidence.first
  }
}
