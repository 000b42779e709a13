import AtRestSecrets

/// Words by which rules for interfaces and stores tell apart what is on screen.
extension Vocabulary {
  /// Last words of names for things that are no secrets, whatever a text calls them.
  package static let otherThings = set(
    """
    address amount balance price fee fees name names id ids identifier count number date time size
    length version status error err result success failure response request exception reason table
    """)

  /// Codes that are printed on a card beside its number and must stay secret.
  package static let cardCodes = set("cvv cvc cvv2 cvc2 csc cid pin cardcvv cardcvc cardpin")

  /// Names of values that can only be used once.
  package static let oneTimeWords = set("otp totp hotp sms mfa twofactor")

  package static let oneTimePhrases = [
    "one time", "verification code", "recovery code", "backup code", "2 fa", "two factor",
    "authentication code", "confirmation code", "activation code", "two step",
  ]

  /// Words in the names of fields for values that are not secret. The label beside such a field is
  /// taken to belong to another field.
  package static let plainSubjects = set(
    """
    username user login name firstname lastname surname url server host port title search amount
    quantity message note notes comment description subject company website
    """)

  private static func set(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
