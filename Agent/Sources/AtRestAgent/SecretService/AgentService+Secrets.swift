@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// The requests of the Secret Service to the agent.
extension AgentService {
  /// The access group of all items of the Secret Service.
  static let secretGroup = "secret-service"
  /// The access group of the secrets of applications in sandboxes.
  static let applicationGroup = "flatpak-secrets"

  /// Decides whether a process may use the items of the Secret Service. The user may be asked.
  ///
  /// - Parameters:
  ///   - group: The access group of the items.
  ///   - operation: The name of the call, for the log.
  ///   - isWanted: Returns false when the client has ended. If it is not nil, the user may be asked for the passcode
  ///     before the first unlock.
  /// - Throws: ``AtRestError/Code/notPermitted``; ``AtRestError/Code/locked`` before the first unlock.
  func secretAccess(
    for peer: Peer, to group: String = AgentService.secretGroup, writing: Bool, _ operation: String,
    unlocking isWanted: (() -> Bool)?
  ) throws -> SecretAccess {
    do {
      try checkUser(of: peer)
      try GuardedOperation.use.check(Origin(peer))
      try keybag.checkStore()
      if let isWanted { try unlockFirst(for: peer, while: isWanted) }
      let identity = try identity(for: peer, claim: [group], writing: writing)
      touch()
      return SecretAccess(service: self, peer: peer, identity: identity, locks: locks)
    } catch {
      try? record(operation, "", peer, answer: Self.known(error).code.rawValue)
      throw error
    }
  }

  /// Asks for the passcode if the store was not unlocked since the agent started.
  ///
  /// A locked item is found before it is unlocked, and its client then asks for that. Until the first unlock, nobody
  /// knows who may find what, so the call that looks for it asks. It does nothing where nobody can be asked.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the user did not unlock the store; ``AtRestError/Code/wiped``.
  private func unlockFirst(for peer: Peer, while isWanted: () -> Bool) throws {
    guard !knownGrants.areKnown, !isUnlocked, (try? checkMayAskToUnlock(for: peer)) != nil else {
      return
    }
    do {
      try askToUnlock(for: peer, while: isWanted)
    } catch {
      // Another program may have unlocked it meanwhile.
      if knownGrants.areKnown { return }
      throw refusal(
        unlessGone: AtRestError(
          .locked,
          "The store was not unlocked since the agent started. \(Self.known(error).message)",
          remedy: "Unlock it with atrest unlock, and try again.", cause: error))
    }
  }

  /// Deletes the items of the collection that lasts as long as the agent.
  func deleteSessionItems() throws {
    let query = KeychainQuery(
      .genericPassword, [.service: .text(SecretCollection.session.name)], group: Self.secretGroup,
      synchronizable: .any)
    _ = try keychain(for: .owner()).delete(matching: query)
  }
}

/// The right of a process to use the items of the Secret Service, which was decided once for all steps of a call.
struct SecretAccess {
  fileprivate let service: AgentService
  fileprivate let peer: Peer
  fileprivate let identity: ApplicationIdentity
  /// The number of locks at the decision. What was decided before a lock ends with it.
  fileprivate let locks: UInt64

  fileprivate init(
    service: AgentService, peer: Peer, identity: ApplicationIdentity, locks: UInt64
  ) {
    (self.service, self.peer, self.identity, self.locks) = (service, peer, identity, locks)
  }

  /// Carries out an operation, and records it.
  ///
  /// - Throws: The errors of the operation.
  func perform(_ operation: KeychainOperation) throws -> AgentResponse {
    if operation.isWriting {
      try service.record(
        operation.name, operation.subject, peer, answer: AgentService.begun)
    }
    return try recorded(operation.name, operation.subject) {
      try $0.perform(operation, context: AuthenticationContext(interaction: .forbidden))
    }
  }

  /// Carries out an operation whose answer is a number of items.
  func count(_ operation: KeychainOperation) throws -> Int {
    guard case .data(let data) = try perform(operation), data.count == 8 else {
      throw AtRestError(.system, "The agent failed.", remedy: "See its messages.")
    }
    return data.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the items that a query matches, those that are locked too.
  func matches(of query: KeychainQuery) throws -> [ItemMatch] {
    let words = query.attributes.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    return try recorded("search", words) { try $0.matches(of: query) }
  }

  private func recorded<Result>(
    _ operation: String, _ subject: String, _ body: (Keychain) throws -> Result
  ) throws -> Result {
    try service.recording(operation, subject, peer) {
      do {
        try service.checkNoLock(since: locks)
        return try body(try service.keychain(for: identity))
      } catch {
        throw service.locks == locks
          ? service.refusal(unlessGone: error) : service.refusalAfterLock
      }
    }
  }
}
