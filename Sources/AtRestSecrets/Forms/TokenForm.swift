/// The form of the tokens that a service issues: a beginning, and the characters that follow it.
///
/// A token is recognised by its form, whatever it is called. ``all`` is the one table of these forms. The
/// redactor, the auditor's rules and detectors, and its reports read it, so a new line teaches all of them.
public struct TokenForm: Sendable {
  /// A name for messages, such as `GitHub token`.
  public let name: String
  /// The kind of the value.
  public let kind: SecretKind
  /// The beginnings of tokens of this form.
  public let prefixes: [String]
  /// The characters after the beginning, as the service issues them today.
  public let exact: Tail
  /// The characters after the beginning in a log, where a token may be cut off or have a new length.
  public let loose: Tail
  /// The purpose for which the service issues the token.
  public let use: Use
  /// The document that describes the form.
  public let source: SecretSource

  /// A number of characters of an alphabet.
  public struct Tail: Hashable, Sendable {
    public let alphabet: TokenAlphabet
    public let count: ClosedRange<Int>
  }

  /// The purpose of a token, according to its service.
  public enum Use: String, CaseIterable, Sendable {
    /// Anyone who has the token can use the service as its owner.
    case secret
    /// A secret of an account without real data.
    case test
    /// A key that apps may contain if the service restricts its use.
    case restricted
    /// A key that identifies an app, and that the service documents as public.
    case published
  }

  /// Returns true if a part of AtRest looks for tokens of this form.
  public func isFound(by consumer: SecretConsumer) -> Bool {
    switch use {
    case .secret, .test: true
    // Apps have these keys in `GoogleService-Info.plist`.
    case .restricted: consumer != .propertyLists
    case .published: false
    }
  }

  /// The name with its article, for messages.
  public var noun: String {
    let isVowel = name.first.map { "AEIOUaeiou".contains($0) } == true
    return (isVowel || name.hasPrefix("npm") ? "an " : "a ") + name
  }
}
