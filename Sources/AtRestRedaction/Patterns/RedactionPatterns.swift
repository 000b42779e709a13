/// Kinds of text that are recognised by their form and withheld without being registered.
///
/// Recognition is a guess: the patterns sometimes withhold harmless text, and miss secrets of other
/// forms. Register the secrets that the program knows.
public struct RedactionPatterns: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  /// Creates a set of patterns from its raw value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The token after `Bearer`, if it has 16 or more characters, or 8 or more including a digit.
  public static let bearerTokens = RedactionPatterns(rawValue: 1 << 0)
  /// JSON Web Tokens, signed or encrypted.
  public static let jsonWebTokens = RedactionPatterns(rawValue: 1 << 1)
  /// Private keys in PEM, up to the `END` line or the end of the text.
  public static let privateKeys = RedactionPatterns(rawValue: 1 << 2)
  /// Payment card numbers: 13 to 19 digits that begin with 2 to 6 and pass the Luhn check, also in
  /// groups with spaces or hyphens. Numbers in pairs of digits or with dots are recognised if they
  /// are grouped as card numbers are. One in ten other numbers passes the Luhn check too.
  public static let paymentCards = RedactionPatterns(rawValue: 1 << 3)
  /// E-mail addresses. They are not in ``standard``.
  public static let emailAddresses = RedactionPatterns(rawValue: 1 << 4)
  /// The values after `password=`, `pass=`, `pw:`, `"apiKey": ` and similar names in about 20
  /// languages, and metadata values under such keys; the contents of XML elements and attributes with
  /// such names, also in property lists; after `Authorization` and `Cookie`, the rest of the line;
  /// credentials after `Authorization` and a scheme without a colon, and after `Basic`; and passwords
  /// in URLs.
  public static let namedValues = RedactionPatterns(rawValue: 1 << 5)
  /// Runs of 41 or more hex digits, and runs of 40 or more characters that look like random base64,
  /// unless the name of a digest precedes them. Shorter hex digits are mostly digests and identifiers.
  public static let longKeys = RedactionPatterns(rawValue: 1 << 6)
  /// Tokens of services that are known by their beginnings: GitHub, GitLab, Slack, AWS, Stripe,
  /// Google, npm, PyPI, Docker, RubyGems, SendGrid, Shopify, Square and others.
  public static let serviceTokens = RedactionPatterns(rawValue: 1 << 7)
  /// International bank account numbers (IBAN) with the right length and check digits.
  public static let bankAccounts = RedactionPatterns(rawValue: 1 << 8)
  /// Numbers by which states identify persons: Belgium, Brazil, China, Finland, France, India, Italy,
  /// Spain, Sweden, Switzerland, the United Kingdom and the United States.
  /// Form and check digits must be right; the last two countries have no check digits.
  public static let identityNumbers = RedactionPatterns(rawValue: 1 << 9)

  /// All patterns except e-mail addresses.
  public static let standard: RedactionPatterns = [
    .bearerTokens, .jsonWebTokens, .privateKeys, .paymentCards, .namedValues, .longKeys,
    .serviceTokens, .bankAccounts, .identityNumbers,
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
    if contains(.serviceTokens) { PatternScan.serviceTokens(text, found) }
    if contains(.bankAccounts) { PatternScan.bankAccounts(text, found) }
    if contains(.identityNumbers) { PatternScan.identityNumbers(text, found) }
  }

  /// Returns true if every value under the given name is withheld.
  func withholds(valueOf name: String) -> Bool {
    contains(.namedValues) && PatternScan.isSecretName(Array(name.utf8)[...])
  }
}
