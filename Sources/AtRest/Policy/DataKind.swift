/// A kind of data, which determines how sensitive a value is and how long the value is kept by
/// default.
///
/// ```swift
/// extension DataKind {
///   static let boardingPass = DataKind("boarding-pass", .consumerGrade, keep: .days(2))
/// }
/// ```
public struct DataKind: Sendable, Hashable, CustomStringConvertible {
  /// The store for values of a kind.
  public enum Place: String, Sendable, Codable {
    /// The keychain for small values, and a file for larger ones.
    case bySize
    /// The keychain only. Larger values are refused.
    case keychain
    /// A file, however small the value is.
    case file
  }

  /// The name, in lower case with hyphens. The name is stored with each value of the kind.
  public let name: String
  /// The sensitivity of a value of this kind if the value contains only the device owner's data. A
  /// value with other people's data is at least ``Sensitivity/sensitive``.
  public let sensitivity: Sensitivity
  /// The store for values of this kind.
  public let place: Place
  /// The retention of a value of this kind if its record does not specify one.
  public let retention: Retention
  /// The advice on what to do instead, for a kind that is never stored; otherwise nil.
  public let alternative: String?

  /// Creates a custom kind.
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

  /// The name with its article, at the beginning of a sentence.
  var withArticle: String { "\("aeiou".contains(name.prefix(1)) ? "An" : "A") \(name)" }

  // MARK: Consumer grade

  /// A setting, or a choice that the user made.
  public static let preference = DataKind("preference", .consumerGrade)
  /// A ticket or booking.
  public static let ticket = DataKind("ticket", .consumerGrade)
  /// A transaction or statement of the device's owner.
  public static let statement = DataKind("statement", .consumerGrade)
  /// A document or picture of the device's owner that belongs to no other kind.
  public static let document = DataKind("document", .consumerGrade)
  /// An access or refresh token: issued to one user, revocable, and useless elsewhere.
  public static let token = DataKind("token", .consumerGrade, .keychain)
  /// Data that can be fetched again. By default, it is kept for a week.
  public static let cache = DataKind("cache", .consumerGrade, .bySize, .days(7))

  // MARK: Sensitive

  /// A secret or API key that several users share.
  public static let sharedSecret = DataKind("shared-secret", .sensitive, .keychain)
  /// Personal data of people other than the owner: a contact, a customer.
  public static let contact = DataKind("contact", .sensitive)
  /// A message, which also contains the data of the people who wrote it.
  public static let message = DataKind("message", .sensitive)
  /// The current or a past location of a person. By default, it is kept for 30 days.
  public static let location = DataKind("location", .sensitive, .bySize, .days(30))

  // MARK: Highly sensitive

  /// A payment card, or an account to pay from.
  public static let paymentCard = DataKind("payment-card", .highlySensitive, .keychain)
  /// Health information.
  public static let health = DataKind("health", .highlySensitive)
  /// A fingerprint, a face or a voice.
  public static let biometric = DataKind("biometric", .highlySensitive)
  /// Genetic data.
  public static let genetic = DataKind("genetic", .highlySensitive)
  /// A passport or another proof of identity.
  public static let identityDocument = DataKind("identity-document", .highlySensitive)
  /// Sexual orientation, religion, opinion, membership: special categories of personal data.
  public static let specialCategory = DataKind("special-category", .highlySensitive)

  // MARK: Never stored

  /// A password of the user. Storing a password is refused.
  public static let password = DataKind(
    "password", .highlySensitive, .keychain, .untilLogout,
    alternative: "Exchange it for a token (TokenStore), which can be revoked and is useless "
      + "elsewhere, and discard the password.")

  /// The kinds listed here, from the least sensitive to the most.
  public static let all: [DataKind] = [
    .preference, .ticket, .statement, .document, .token, .cache,
    .sharedSecret, .contact, .message, .location,
    .paymentCard, .health, .biometric, .genetic, .identityDocument, .specialCategory,
    .password,
  ]
}
