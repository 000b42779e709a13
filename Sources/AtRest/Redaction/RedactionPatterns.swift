/// Kinds of text that are withheld without being registered, told by their form.
///
/// A form is a guess. These withhold now and then what is harmless, and miss what has another form:
/// register secrets that the program knows.
public struct RedactionPatterns: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// What follows `Bearer`, of 16 characters or more, or of 8 with a digit among them.
  public static let bearerTokens = RedactionPatterns(rawValue: 1 << 0)
  /// JSON Web Tokens, signed or encrypted.
  public static let jsonWebTokens = RedactionPatterns(rawValue: 1 << 1)
  /// Private keys as PEM, to their end or that of the text.
  public static let privateKeys = RedactionPatterns(rawValue: 1 << 2)
  /// Numbers of payment cards: 13 to 19 digits that begin with 2 to 6 and pass the Luhn check, also in
  /// groups with spaces or hyphens, and in pairs or with dots in the groups that cards have. One other
  /// number in ten passes too.
  public static let paymentCards = RedactionPatterns(rawValue: 1 << 3)
  /// Addresses of e-mail. Not in ``standard``.
  public static let emailAddresses = RedactionPatterns(rawValue: 1 << 4)
  /// The value of `password=`, `pass=`, `pw=`, `"apiKey": ` and the like, and of metadata under such a
  /// key. After `Authorization` and `Cookie` the rest of the line, and what follows a scheme after
  /// `Authorization` without a colon. Credentials after `Basic`. The password in a URL.
  public static let namedValues = RedactionPatterns(rawValue: 1 << 5)
  /// Runs of 32 hex digits or more, and of 40 characters or more that look like random base64.
  /// Digests and commits are among them.
  public static let longKeys = RedactionPatterns(rawValue: 1 << 6)

  /// Everything but addresses of e-mail.
  public static let standard: RedactionPatterns = [
    .bearerTokens, .jsonWebTokens, .privateKeys, .paymentCards, .namedValues, .longKeys,
  ]
  /// Everything.
  public static let all: RedactionPatterns = [.standard, .emailAddresses]

  /// Calls a closure with each place where a pattern is, in a time that is linear in the count.
  func find(in text: [UInt8], _ found: (Range<Int>) -> Void) {
    if contains(.bearerTokens) { PatternScan.bearerTokens(text, found) }
    if contains(.jsonWebTokens) { PatternScan.jsonWebTokens(text, found) }
    if contains(.privateKeys) { PatternScan.privateKeys(text, found) }
    if contains(.paymentCards) { PatternScan.paymentCards(text, found) }
    if contains(.emailAddresses) { PatternScan.emailAddresses(text, found) }
    if contains(.namedValues) { PatternScan.namedValues(text, found) }
    if contains(.longKeys) { PatternScan.longKeys(text, found) }
  }

  /// Whether what stands under a name is withheld whatever it is.
  func withholds(valueOf name: String) -> Bool {
    contains(.namedValues) && PatternScan.isSecretName(Array(name.utf8)[...])
  }
}
