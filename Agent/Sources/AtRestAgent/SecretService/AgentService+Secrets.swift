@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// The requests of the Secret Service to the agent.
extension AgentService {
  /// The access group of all items of the Secret Service.
  static let secretGroup = "secret-service"

  /// Carries out an operation on items of the Secret Service, as a request of the agent's own protocol.
  ///
  /// - Throws: The refusal.
  func perform(_ operation: KeychainOperation, for peer: Peer) throws -> AgentResponse {
    let response = answer(.perform(operation, groups: [Self.secretGroup]), to: peer)
    if case .refused(let error) = response { throw error }
    return response
  }

  /// Carries out an operation whose answer is a number of items.
  func count(_ operation: KeychainOperation, for peer: Peer) throws -> Int {
    guard case .data(let data) = try perform(operation, for: peer), data.count == 8 else {
      throw AtRestError(.system, "The agent failed.", remedy: "See its messages.")
    }
    return data.reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the items that a query matches, those that are locked too.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted``; ``AtRestError/Code/locked`` before the first unlock; the errors
  ///   of a query.
  func matches(of query: KeychainQuery, for peer: Peer) throws -> [ItemMatch] {
    let before = locks
    return try recording("search", query.attributes.words, peer) {
      try checkUser(of: peer)
      try GuardedOperation.use.check(Origin(peer))
      try keybag.checkStore()
      let identity = try identity(for: peer, claim: [Self.secretGroup], writing: false)
      touch()
      do {
        return try keychain(for: identity).matches(of: query)
      } catch {
        throw locks == before ? refusal(unlessGone: error) : refusalAfterLock
      }
    }
  }

  /// Throws ``AtRestError/Code/notPermitted`` if a process may not change items of the Secret Service.
  func checkMayWrite(_ peer: Peer) throws {
    try checkUser(of: peer)
    try GuardedOperation.use.check(Origin(peer))
    _ = try identity(for: peer, claim: [Self.secretGroup], writing: true)
  }

  /// Deletes the items of the collection that lasts as long as the agent.
  func deleteSessionItems() throws {
    let query = KeychainQuery(
      .genericPassword, [.service: .text(SecretCollection.session.name)], group: Self.secretGroup,
      synchronizable: .any)
    _ = try keychain(for: .owner()).delete(matching: query)
  }
}

extension ItemAttributes {
  /// The attributes in words, for the log.
  fileprivate var words: String { map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ") }
}
