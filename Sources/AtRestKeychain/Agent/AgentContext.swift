import AtRestCrypto
@_spi(Tools) import AtRestKeybag

/// The part of an ``AuthenticationContext`` that a request carries to the agent.
@_spi(Tools) public struct AgentContext: Sendable {
  /// The way to handle items that require a proof of the user.
  public var interaction: AuthenticationContext.Interaction
  /// The reason of the caller, in its own words.
  public var reason: String
  /// The application password, if the caller supplied it.
  public var applicationPassword: AgentSecret?

  /// Creates a context.
  public init(
    interaction: AuthenticationContext.Interaction = .allowed, reason: String = "",
    applicationPassword: AgentSecret? = nil
  ) {
    self.interaction = interaction
    self.reason = reason
    self.applicationPassword = applicationPassword
  }

  init(_ context: AuthenticationContext?) {
    // Much more than a question shows, and less than a message may have.
    let reason = context?.reason.unicodeScalars.prefix(AgentLimits.text / 4)
    self.init(
      interaction: context?.interaction ?? .allowed,
      reason: reason.map { String(String.UnicodeScalarView($0)) } ?? "",
      applicationPassword: context?.knownApplicationPassword.map {
        AgentSecret($0.bytes.duplicate())
      })
  }

  /// Returns the context for the agent's keychain.
  ///
  /// - Parameter reason: The agent's own words for its user, in place of the caller's.
  public func authenticationContext(reason: String) -> AuthenticationContext {
    guard let applicationPassword else {
      return AuthenticationContext(reason: reason, interaction: interaction)
    }
    return AuthenticationContext(
      reason: reason, interaction: interaction, applicationPassword: applicationPassword.bytes)
  }
}

extension AuthenticationContext.Interaction {
  /// The number in a message.
  var number: UInt8 {
    switch self {
    case .allowed: 0
    case .forbidden: 1
    case .skip: 2
    }
  }

  init?(number: UInt8) {
    switch number {
    case 0: self = .allowed
    case 1: self = .forbidden
    case 2: self = .skip
    default: return nil
    }
  }
}
