import AtRestAuditAnalysis

extension CryptographyChecks {
  /// Returns true if a function derives the seed of a wallet from its recovery phrase, as BIP 39
  /// prescribes: with 2048 rounds and a salt that begins with `mnemonic`. The phrase was drawn at
  /// random, so it cannot be guessed.
  static func isSeedOfWallet(_ scope: Scope) -> Bool {
    let values = (scope.function?.parameters ?? []).compactMap(\.value) + scope.strings
    return values.contains { $0.firstText?.hasPrefix("mnemonic") == true }
  }
}
