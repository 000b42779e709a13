@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// The requests of the Secret Service to the agent.
extension AgentService {
  /// The access group of all items of the Secret Service.
  static let secretGroup = "secret-service"

  /// Decides whether a process may use the items of the Secret Service. The user may be asked.
  ///
  /// - Parameter operation: The name of the call, for the log.
  /// - Throws: ``AtRestError/Code/notPermitted``; ``AtRestError/Code/locked`` before the first unlock.
  func secretAccess(
    for peer: Peer, writing: Bool, _ operation: String
  ) throws -> SecretAccess {
    do {
      try checkUser(of: peer)
      try GuardedOperation.use.check(Origin(peer))
      try keybag.checkStore()
      let identity = try identity(for: peer, claim: [Self.secretGroup], writing: writing)
      touch()
      return SecretAccess(service: self, peer: peer, identity: identity, locks: locks)
    } catch {
      try? record(operation, "", peer, answer: Self.known(error).code.rawValue)
      throw error
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
