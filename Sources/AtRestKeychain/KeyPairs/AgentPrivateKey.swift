/// A private key that stays in the agent, which uses it for this process.
package struct AgentPrivateKey {
  /// Sends a use of the key to the agent.
  ///
  /// - Throws: The errors of the agent; ``AtRestError/Code/system`` if it ended.
  let use: (KeyUse) throws -> AgentResponse

  init(_ use: @escaping (KeyUse) throws -> AgentResponse) { self.use = use }
}
