import AtRestKeybag

/// The agent's side, and the events of an agent.
extension Keychain {
  /// Carries out an operation for another process, with the identity of this keychain.
  ///
  /// - Returns: The answer. A refusal is thrown.
  /// - Throws: The errors of the corresponding call.
  @_spi(Tools) public func perform(
    _ operation: KeychainOperation, context: AuthenticationContext
  ) throws -> AgentResponse {
    try operation.perform(on: backend, context: context)
  }

  /// Tells the lock observers of the keybag when the agent locks the store, before this process uses
  /// the agent.
  package func followAgent() throws {
    guard usesAgent, keybag.awaitsFirstUnlock else { return }
    try keybag.followLocksOfAgent()
  }
}
