import AtRestCrypto

extension Output {
  /// Writes what went wrong, and what to do, to standard error.
  static func failure(_ error: AtRestError) {
    note(error.message)
    plainNote("  \(printable(error.remedy))")
  }
}
