/// Kinds of text that are withheld without being registered, recognised by their form.
///
/// A form is a guess. The patterns sometimes withhold harmless text, and miss secrets of other
/// forms. Register the secrets that the program knows.
public struct RedactionPatterns: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Creates a set of patterns from its raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The token after `Bearer`, of 16 characters or more, or of 8 or more with a digit among them.
  public static let bearerTokens = RedactionPatterns(rawValue: 1 << 0)
  /// JSON Web Tokens, signed or encrypted.
  public static let jsonWebTokens = RedactionPatterns(rawValue: 1 << 1)
  /// Private keys in PEM, up to their end or the end of the text.
  public static let privateKeys = RedactionPatterns(rawValue: 1 << 2)
  /// Numbers of payment cards: 13 to 19 digits that begin with 2 to 6 and pass the Luhn check, also
  /// in groups with spaces or hyphens, and in pairs or with dots in the groups that cards have. One
  /// in ten other numbers passes too.
  public static let paymentCards = RedactionPatterns(rawValue: 1 << 3)
  /// E-mail addresses. They are not in ``standard``.
  public static let emailAddresses = RedactionPatterns(rawValue: 1 << 4)
  /// The value after `password=`, `pass=`, `pw=`, `"apiKey": ` and similar names, and of metadata
  /// under such a key. After `Authorization` and `Cookie`, the rest of the line. The credentials
  /// after `Authorization` and a scheme without a colon, and after `Basic`. The password in a URL.
  public static let namedValues = RedactionPatterns(rawValue: 1 << 5)
  /// Runs of 32 or more hex digits, and runs of 40 or more characters that look like random base64.
  /// These include digests and commit identifiers.
  public static let longKeys = RedactionPatterns(rawValue: 1 << 6)

  /// All patterns except e-mail addresses.
  public static let standard: RedactionPatterns = [
    .bearerTokens, .jsonWebTokens, .privateKeys, .paymentCards, .namedValues, .longKeys,
  ]
  /// All patterns.
  public static let all: RedactionPatterns = [.standard, .emailAddresses]

  /// Calls a closure with the range of each match. The time is linear in the size of the text.
  func find(in text: [UInt8], _ found: (Range<Int>) -> Void) {
    if contains(.bearerTokens) { PatternScan.bearerTokens(text, found) }
    if contains(.jsonWebTokens) { PatternScan.jsonWebTokens(text, found) }
    if contains(.privateKeys) { PatternScan.privateKeys(text, found) }
    if contains(.paymentCards) { PatternScan.paymentCards(text, found) }
    if contains(.emailAddresses) { PatternScan.emailAddresses(text, found) }
    if contains(.namedValues) { PatternScan.namedValues(text, found) }
    if contains(.longKeys) { PatternScan.longKeys(text, found) }
  }

  /// Returns true if every value under the given name is withheld.
  func withholds(valueOf name: String) -> Bool {
    contains(.namedValues) && PatternScan.isSecretName(Array(name.utf8)[...])
  }
}
