/// The kind of sensitive data that a value is, by its name or by its form.
public enum SecretKind: String, CaseIterable, Codable, Hashable, Sendable {
  /// A password, passcode, PIN or one-time code.
  case password
  /// A value that is only called a secret: a password in one program and a token in another.
  case secret
  /// A token, a cookie or the identifier of a session. Anyone who has it can use the session.
  case token
  /// A key or token that a service issued, recognised by its form.
  case apiKey = "api-key"
  /// JSON Web Token (RFC 7519).
  case webToken = "web-token"
  /// A private or symmetric key, or the seed of one.
  case privateKey = "private-key"
  case cardNumber = "card-number"
  case bankAccount = "bank-account"
  case identityNumber = "identity-number"
  case email, phone, address
  case dateOfBirth = "date-of-birth"
  case location, health
}

extension SecretKind {
  /// The kind in the coarser terms of an audit of code.
  public var sensitivity: SensitiveKind {
    switch self {
    case .password, .secret: .credential
    case .token, .apiKey, .webToken: .token
    case .privateKey: .key
    case .cardNumber, .bankAccount: .payment
    case .identityNumber: .identity
    case .email, .phone, .address, .dateOfBirth: .personal
    case .health: .health
    case .location: .location
    }
  }
}
