import AtRestCrypto

extension PasswordKDF {
  /// Parameters with a cost far below the minimum, to make passcodes and passphrases fast in tests.
  ///
  /// Never use them for a real store. Anyone who obtains a store with these parameters can guess
  /// its passcode.
  ///
  /// ```swift
  /// options.passphraseKDF = .simulated
  /// ```
  public static let simulated = PasswordKDF.forTesting
}
