/// The operation of a request to the agent: the second byte of the message (`docs/Agent.md`).
@_spi(Tools) public enum AgentOperation: UInt8, Sendable, CaseIterable {
  /// Asks for the identity of the store that the agent serves.
  case greeting = 0
  case status = 1
  case unlock = 2
  case lock = 3
  case perform = 4
  case grants = 8
  case addGrants = 9
  case removeGrant = 10
  case log = 11
  case wrapFileKey = 12
  case unwrapFileKey = 13

  /// True if the operation tries a passcode, which takes the time of its KDF.
  public var triesPasscode: Bool {
    switch self {
    case .unlock, .addGrants, .removeGrant: true
    case .greeting, .status, .lock, .perform, .grants, .log, .wrapFileKey, .unwrapFileKey: false
    }
  }
}

/// The kind of an answer of the agent: the second byte of the message.
@_spi(Tools) public enum AgentAnswer: UInt8, Sendable {
  case done = 0
  case secret = 1
  case document = 2
  case refused = 3
  case data = 4
  case items = 5
}
