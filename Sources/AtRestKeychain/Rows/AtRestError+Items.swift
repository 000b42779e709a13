import AtRestCrypto

extension AtRestError {
  /// Returns the error for an item that does not exist.
  ///
  /// - Parameter words: The item in words that continue the sentence.
  static func noItem(_ words: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no item \(words).",
      remedy: "Check the attributes, the access group, and whether it is synchronizable.")
  }

  /// True if a list continues without the item and reports it as withheld.
  var isWithholding: Bool {
    refusal == .locked || refusal == .damaged || code == .passcodeNotSet
  }
}
