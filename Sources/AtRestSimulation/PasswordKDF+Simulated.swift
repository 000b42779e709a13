import AtRestCrypto

extension PasswordKDF {
  /// A cost far below the minimum, so that tests do not wait for passcodes and passphrases.
  ///
  /// Never for a real store: who has it guesses any passcode.
  ///
  /// ```swift
  /// options.passphraseKDF = .simulated
  /// ```
  public static let simulated = PasswordKDF.forTesting
}
