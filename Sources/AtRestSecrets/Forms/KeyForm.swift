/// A standard form of keys and tokens, which no single service issues.
public enum KeyForm: CaseIterable, Sendable {
  /// A private key in PEM. See ``PrivateKeyText``.
  case privateKey
  /// A JSON Web Token. See ``WebToken``.
  case webToken
  /// The credentials after a scheme in a header.
  case authorization

  /// A name for messages.
  public var name: String {
    switch self {
    case .privateKey: "private key (PEM, OpenSSH, PGP)"
    case .webToken: "JSON Web Token"
    case .authorization: "credentials of a header"
    }
  }

  var written: String {
    switch self {
    case .privateKey: "-----BEGIN … PRIVATE KEY-----"
    case .webToken: "eyJ"
    case .authorization: "Bearer, Basic"
    }
  }

  var exact: String {
    switch self {
    case .privateKey: "32 or more characters of a key"
    case .webToken: "3 or 5 parts, a header with an algorithm"
    case .authorization: "12 or more characters, one of them a digit"
    }
  }

  var loose: String {
    switch self {
    case .privateKey: "up to the END line, or the end of the text"
    case .webToken: "3 parts, 8 characters of a header"
    case .authorization: "16 or more characters, or 8 with a digit"
    }
  }

  var source: SecretSource {
    switch self {
    case .privateKey: .rfc7468
    case .webToken: .rfc7519
    case .authorization: .rfc6750
    }
  }

  /// Returns true if a part of AtRest looks for the form.
  public func isFound(by consumer: SecretConsumer) -> Bool {
    switch self {
    case .privateKey, .webToken: true
    // In code, the scheme is mostly beside a name.
    case .authorization: consumer != .code && consumer != .propertyLists
    }
  }
}
