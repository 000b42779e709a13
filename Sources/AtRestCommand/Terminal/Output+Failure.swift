import AtRestCrypto

extension Output {
  /// Writes the error's message and remedy to standard error.
  static func failure(_ error: AtRestError) {
    note(error.message)
    plainNote("  \(printable(error.remedy))")
  }
}
