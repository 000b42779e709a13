import AtRestCrypto
import AtRestKeybag
import Foundation

/// Calls that the agent carries out.
///
/// A process that has not unlocked the store itself uses the agent that serves it. Calls inside
/// `transaction(_:)` use the store directly.
extension Keychain {
  /// Sends an operation to the agent.
  ///
  /// - Returns: The answer, or nil if this process uses the store directly.
  func askAgent(
    _ context: AuthenticationContext?, _ operation: () throws -> KeychainOperation
  ) throws -> AgentResponse? {
    guard let agent = agentInUse else { return nil }
    try context?.checkValid()
    guard let socket = try agent.socket() else { return nil }
    let operation = try operation()
    let named = operation.namedGroups
    for group in named { try identity.check(group) }
    let groups = identity.isOwner ? [] : identity.accessGroups
    return try AgentConnection(over: socket).send(
      .perform(
        operation, groups: named.isEmpty ? groups : named, context: AgentContext(context)))
  }

  private var agentInUse: AgentLink? {
    keybag.awaitsFirstUnlock && !isInTransaction ? agent : nil
  }

  /// Tells the lock observers of the keybag when the agent locks the store, before this process uses
  /// the agent.
  package func followAgent() throws {
    guard agent != nil, keybag.awaitsFirstUnlock else { return }
    try keybag.followLocksOfAgent()
  }

  /// True if calls may be sent to an agent.
  package var usesAgent: Bool { agent != nil }

  /// Runs a closure that uses the store directly. If the closure finds the store locked while an agent
  /// serves it, the error says that unlocking the store in the agent does not help.
  package func explainingDirectUse<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as AtRestError where error.code == .locked {
      guard keybag.awaitsFirstUnlock, (try? agent?.socket()) != nil else { throw error }
      throw AtRestError(
        .locked,
        "This process has not unlocked the store. The agent that serves it carries out no "
          + "transactions, which this call needs.",
        remedy: "Unlock the store in this process too, with unlock(passcode:) of the vault or the "
          + "keybag. atrest unlock does not help here.", cause: error)
    }
  }

  /// True if the agent carries out the calls of this process.
  var isServedByAgent: Bool { get throws { try agentInUse?.socket() != nil } }

  /// Runs several calls as one durable transaction, or one after the other if the agent carries them
  /// out, to which a transaction does not reach.
  ///
  /// - Throws: The error of the closure. With the agent, the calls before it have taken effect.
  package func together<Result>(_ body: () throws -> Result) throws -> Result {
    try isServedByAgent ? body() : transaction(body)
  }

  /// Sends an operation that changes items, and tells the watchers about it.
  func askAgentToWrite(
    _ context: AuthenticationContext?, _ operation: () throws -> KeychainOperation
  ) throws -> AgentResponse? {
    guard let response = try askAgent(context, operation) else { return nil }
    tellOfExternalChange()
    return response
  }

  /// Returns a key with the group in which this keychain adds items.
  func placed(_ key: PrimaryKey) -> PrimaryKey {
    var key = key
    key.group = key.group ?? identity.defaultGroup
    return key
  }

  func secret(_ bytes: UnsafeRawBufferPointer?) -> AgentSecret? {
    bytes.map { AgentSecret(SecretBytes(copying: $0)) }
  }
}

extension AgentResponse {
  func secret() throws -> SecretBytes {
    guard case .secret(let secret) = self else { throw AgentLimits.unexpectedAnswer }
    return secret.bytes.duplicate()
  }

  func items() throws -> KeychainItems {
    guard case .items(let items) = self else { throw AgentLimits.unexpectedAnswer }
    return items
  }

  func item() throws -> KeychainItem {
    guard let item = try items().first else { throw AgentLimits.unexpectedAnswer }
    return item
  }

  func data() throws -> Data {
    guard case .data(let data) = self else { throw AgentLimits.unexpectedAnswer }
    return data
  }

  func reference() throws -> PersistentReference { try PersistentReference(data: data()) }

  func count() throws -> Int {
    let data = try data()
    guard data.count == 8 else { throw AgentLimits.unexpectedAnswer }
    return data.reduce(0) { $0 << 8 | Int($1) }
  }

  func publicKey() throws -> PublicKey { try PublicKey(importing: data()) }

  func privateKey() throws -> PrivateKey {
    let secret = try secret()
    return try secret.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The agent's answer")
      guard let algorithm = KeyAlgorithm(name: try reader.text()) else {
        throw AgentLimits.unexpectedAnswer
      }
      return try PrivateKey(
        storage: SecretBytes(copying: reader.counted(limit: AgentLimits.text)),
        algorithm: algorithm)
    }
  }
}
