import Foundation

/// The state of an agent.
@_spi(Tools) public struct AgentStatus: Sendable, Codable, Equatable {
  /// The identity of the store.
  public let store: String
  /// The folder of the store.
  public let folder: String
  /// True while the class keys that require an unlocked store are in memory.
  public let isUnlocked: Bool
  /// True if the store was wiped. The agent has no keys any more, and refuses every request for an item.
  public let isWiped: Bool
  /// The time of the last lock or unlock, or of the agent's start.
  public let since: Date
  /// True if the store has a passcode.
  public let hasPasscode: Bool
  /// The seconds without use after which the agent locks the store. 0 means never.
  public let idleSeconds: Int
  /// How the user is asked about requests without a grant, as the option `--ask` has it.
  public let ask: String
  /// The path of the socket for the ssh-agent protocol, or nil without such a socket.
  public let sshSocket: String?
  /// The session's bus that the agent joins, as the option `--bus` has it, or nil without the option.
  public let bus: String?
  /// True if the agent takes its name on that bus from another keyring. An agent of an older version does not say it.
  public let replacesKeyring: Bool?
  /// The number of the agent's process.
  public let process: Int32
  /// The facts that the agent found about the process that asks.
  public let evidence: [AgentEvidence]

  /// Creates a status.
  public init(
    store: String, folder: String, isUnlocked: Bool, isWiped: Bool = false, since: Date,
    hasPasscode: Bool, idleSeconds: Int, ask: String, sshSocket: String?, bus: String? = nil,
    replacesKeyring: Bool? = nil, process: Int32, evidence: [AgentEvidence]
  ) {
    self.store = store
    self.folder = folder
    self.isUnlocked = isUnlocked
    self.isWiped = isWiped
    self.since = since
    self.hasPasscode = hasPasscode
    self.idleSeconds = idleSeconds
    self.ask = ask
    self.sshSocket = sshSocket
    self.bus = bus
    self.replacesKeyring = replacesKeyring
    self.process = process
    self.evidence = evidence
  }

  /// The state in a word: `unlocked`, `locked` or `wiped`.
  public var state: String { isWiped ? "wiped" : isUnlocked ? "unlocked" : "locked" }
}
