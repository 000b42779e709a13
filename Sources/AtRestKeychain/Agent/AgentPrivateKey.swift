import AtRestCrypto
import Foundation

/// A private key that stays in the agent, which uses it for this process.
package struct AgentPrivateKey {
  private let keychain: Keychain
  private let key: KeychainOperation.KeySelector
  private let context: AuthenticationContext?

  init(
    _ key: KeychainOperation.KeySelector, in keychain: Keychain, context: AuthenticationContext?
  ) {
    self.key = key
    self.keychain = keychain
    self.context = context
  }

  /// Uses the key.
  ///
  /// - Throws: The errors of the agent; ``AtRestError/Code/system`` if it ended.
  func use(_ use: KeyUse) throws -> AgentResponse {
    guard let answer = try keychain.askAgent(context, { .useKey(key, use) }) else {
      throw AtRestError(
        .system, "The agent ended before it used the key.", remedy: "Try again.")
    }
    return answer
  }
}
