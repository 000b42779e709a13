import AtRestCrypto

extension AtRestError {
  /// Returns the error for an item that does not exist.
  ///
  /// - Parameter words: A description of the item that completes the sentence "There is no item …".
  static func noItem(_ words: String) -> AtRestError {
    AtRestError(
      .notFound, "There is no item \(words).",
      remedy: "Check the attributes, the access group, and whether the item is synchronizable.")
  }

  /// True if a list reports an item with this error as withheld, and continues without it.
  var isWithholding: Bool {
    refusal == .locked || refusal == .damaged || code == .passcodeNotSet
  }
}
