/// What a value is, which says how sensitive it is and how long it is needed unless told otherwise.
///
/// ```swift
/// extension DataKind {
///   static let boardingPass = DataKind("boarding-pass", .consumerGrade, keep: .days(2))
/// }
/// ```
public struct DataKind: Sendable, Hashable, CustomStringConvertible {
  /// Where values of a kind go.
  public enum Place: String, Sendable, Codable {
    /// The keychain while they are small, a file once they outgrow it.
    case bySize
    /// The keychain alone; a larger one is refused.
    case keychain
    /// A file, however small.
    case file
  }

  /// The name, in lower case with hyphens; it is stored with each value.
  public let name: String
  /// How sensitive such a value of the device's owner is. That of others is ``Sensitivity/sensitive``
  /// at least.
  public let sensitivity: Sensitivity
  /// Where values of the kind go.
  public let place: Place
  /// How long a value of the kind is kept whose record does not say.
  public let retention: Retention
  /// What to do instead, of a kind that is never stored.
  public let alternative: String?

  /// Makes a kind of one's own.
  public init(
    _ name: String, _ sensitivity: Sensitivity, place: Place = .bySize,
    keep retention: Retention = .untilLogout
  ) {
    self.init(name, sensitivity, place, retention, alternative: nil)
  }

  private init(
    _ name: String, _ sensitivity: Sensitivity, _ place: Place = .bySize,
    _ retention: Retention = .untilLogout, alternative: String? = nil
  ) {
    self.name = name
    self.sensitivity = sensitivity
    self.place = place
    self.retention = retention
    self.alternative = alternative
  }

  public var description: String { name }

  // MARK: Consumer grade

  /// A setting, or what the user chose.
  public static let preference = DataKind("preference", .consumerGrade)
  /// A ticket or booking.
  public static let ticket = DataKind("ticket", .consumerGrade)
  /// A transaction or statement of the owner's.
  public static let statement = DataKind("statement", .consumerGrade)
  /// A document or picture of the owner's that falls under no other kind.
  public static let document = DataKind("document", .consumerGrade)
  /// An access or refresh token: one user's, revocable, of no use elsewhere.
  public static let token = DataKind("token", .consumerGrade, .keychain)
  /// What can be fetched again: kept for a week.
  public static let cache = DataKind("cache", .consumerGrade, .bySize, .days(7))

  // MARK: Sensitive

  /// A secret or interface key that several users share.
  public static let sharedSecret = DataKind("shared-secret", .sensitive, .keychain)
  /// Personal data of people other than the owner: a contact, a customer.
  public static let contact = DataKind("contact", .sensitive)
  /// A message: those who wrote it are others.
  public static let message = DataKind("message", .sensitive)
  /// Where somebody is or was.
  public static let location = DataKind("location", .sensitive, .bySize, .days(30))

  // MARK: Highly sensitive

  /// A payment card or account to pay from.
  public static let paymentCard = DataKind("payment-card", .highlySensitive, .keychain)
  /// Health information.
  public static let health = DataKind("health", .highlySensitive)
  /// A finger, a face, a voice.
  public static let biometric = DataKind("biometric", .highlySensitive)
  /// Genetic data.
  public static let genetic = DataKind("genetic", .highlySensitive)
  /// A passport or another proof of identity.
  public static let identityDocument = DataKind("identity-document", .highlySensitive)
  /// Sexual orientation, religion, opinion, membership: special categories of personal data.
  public static let specialCategory = DataKind("special-category", .highlySensitive)

  // MARK: Never stored

  /// A password of the user's: refused.
  public static let password = DataKind(
    "password", .highlySensitive, .keychain, .untilLogout,
    alternative: "Exchange it for a token (TokenStore), which can be revoked and is of no use "
      + "elsewhere, and let go of the password.")

  /// The kinds named here, from the least sensitive on.
  public static let all: [DataKind] = [
    .preference, .ticket, .statement, .document, .token, .cache,
    .sharedSecret, .contact, .message, .location,
    .paymentCard, .health, .biometric, .genetic, .identityDocument, .specialCategory,
    .password,
  ]
}
