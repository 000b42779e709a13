import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// The grants of the agent.
extension AgentService {
  /// Returns all grants.
  ///
  /// - Throws: ``AtRestError/Code/locked`` if the store was not unlocked since the agent's start.
  func grants() throws -> [AgentGrant] { try knownGrants.all() }

  /// Reads what the agent knows while the store is locked too, after the store was unlocked.
  func readAfterUnlock() {
    knownGrants.read { try GrantBook(keychain: own).all() }
    _ = try? sshKeys()
  }

  /// Gives grants, if the passcode is right.
  ///
  /// - Parameter before: Runs when it is, before anything is changed.
  func add(
    _ grants: [AgentGrant], passcode: AgentSecret, before: () throws -> Void = {}
  ) throws -> [AgentGrant] {
    try changingGrants(passcode) {
      try before()
      return try $0.add(grants)
    }
  }

  /// Removes a grant, if the passcode is right.
  ///
  /// - Parameter before: Runs when it is, before anything is changed.
  func removeGrant(_ id: String, passcode: AgentSecret, before: () throws -> Void) throws {
    try changingGrants(passcode) {
      try before()
      try $0.remove(id)
    }
  }

  /// Returns true if a decision about a process has to read the whole program first.
  func mustRead(_ peer: Peer) -> Bool {
    ((try? grants()) ?? []).contains { peer.mustRead(for: $0.evidence) }
  }

  /// Stores a grant that the user gave at the agent's prompt. It needs the passcode all the same,
  /// because another program of the user may be able to answer the question.
  ///
  /// - Parameter peer: The process about which the user was asked.
  /// - Throws: The errors of ``add(_:passcode:before:)``; ``AtRestError/Code/system`` if it cannot be recorded.
  ///   It is not given then.
  func addByAnswer(
    _ grant: AgentGrant, for peer: Peer, passcode: () throws -> SecretBytes
  ) throws {
    let secret = AgentSecret(keybag.hasPasscode ? try passcode() : SecretBytes(utf8: ""))
    let request = AgentRequest.addGrants([grant], passcode: secret)
    do {
      _ = try add([grant], passcode: secret) { try recordBefore(request, peer) }
    } catch {
      _ = recorded(request, .refused(Self.known(error)), peer, wasUnlocked: true)
      throw error
    }
    _ = recorded(request, .done, peer, wasUnlocked: true)
  }

  /// Changes the grants with the keys that the passcode gives. The agent's own lock state stays as it
  /// is: a grant can be given while the store is locked, and an open store is not enough.
  private func changingGrants<Result>(
    _ passcode: AgentSecret, _ body: (GrantBook) throws -> Result
  ) throws -> Result {
    let authority = try keybag.opened()
    defer { authority.close() }
    if authority.hasPasscode { try authority.unlock(passcode: passcode.bytes) }
    let keychain = try Keychain.open(authority, identity: .agent, usesAgent: false)
    defer { keychain.close() }
    let book = GrantBook(keychain: keychain)
    let result = try body(book)
    knownGrants.read { try book.all() }
    return result
  }
}
