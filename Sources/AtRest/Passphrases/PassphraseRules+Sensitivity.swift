import AtRestCrypto

extension PassphraseRules {
  /// Returns the rules for passphrases that protect data of a sensitivity.
  public static func rules(for sensitivity: Sensitivity) -> PassphraseRules {
    switch sensitivity {
    case .highlySensitive: highlySensitive
    case .sensitive: sensitive
    case .consumerGrade: consumerGrade
    }
  }
}
