import AtRestAgentClient
import AtRestCrypto
import AtRestKeychain
import Foundation

/// The place from which a command takes the secrets of items: the agent that serves the store, or
/// the store itself.
///
/// The agent is used unless the command was told how to unlock the store, or which store to expect.
/// What the agent does not grant, and what is locked there, is refused, so the agent and the store
/// never seem to disagree.
enum SecretSource {
  case agent(AgentConnection)
  case store(Keychain)

  init(_ unlock: UnlockOptions) throws {
    let expected = ProcessInfo.processInfo.environment["ATREST_EXPECT_STORE"] ?? ""
    if unlock.passcodeFile == nil, !unlock.noUnlock, unlock.store.expectStore == nil,
      expected.isEmpty,
      let agent = try AgentAccess.connectIfPresent(unlock.store)
    {
      self = .agent(agent)
    } else {
      self = .store(try unlock.open())
    }
  }

  /// Returns the secret of an item.
  func secret(for key: PrimaryKey, context: AuthenticationContext?) throws -> SecretBytes {
    switch self {
    case .agent(let agent): try agent.secret(.get(key, groups: []))
    case .store(let keychain): try keychain.secret(for: key, context: context)
    }
  }

  /// Erases the keys of a store that this command unlocked for itself.
  func close() {
    if case .store(let keychain) = self {
      keychain.close()
      keychain.keybag.lock()
    }
  }
}
