/// The part of an ``AuthenticationContext`` that a request carries to the agent.
public struct AgentContext: Sendable {
  /// True to leave items out of a list that require a proof of the user, instead of refusing it.
  public var skipsPrompts: Bool
  /// The application password, if the caller supplied it.
  public var applicationPassword: AgentSecret?

  /// Creates a context.
  public init(skipsPrompts: Bool = false, applicationPassword: AgentSecret? = nil) {
    self.skipsPrompts = skipsPrompts
    self.applicationPassword = applicationPassword
  }

  /// The context for the agent's keychain, which asks nobody.
  public var authenticationContext: AuthenticationContext {
    let interaction: AuthenticationContext.Interaction = skipsPrompts ? .skip : .forbidden
    guard let applicationPassword else {
      return AuthenticationContext(interaction: interaction)
    }
    return AuthenticationContext(
      interaction: interaction, applicationPassword: applicationPassword.bytes)
  }
}
