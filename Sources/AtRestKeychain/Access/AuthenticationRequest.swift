/// A request to the user: the reason and the button titles of a prompt.
public struct AuthenticationRequest: Hashable, Sendable {
  /// The reason to show to the user.
  public let reason: String
  /// The title of the button that dismisses the prompt. nil keeps the default title.
  public let cancelTitle: String?
  /// The title of the button for the passcode. nil keeps the default title, and an empty title
  /// removes the button.
  public let fallbackTitle: String?
}
