import AtRestCrypto

extension Keychain {
  /// Returns the items that a query matches, in the order in which they were added, those that are locked too.
  ///
  /// The attributes of a locked item are compared by their hashes, so the store may be locked. An agent that
  /// serves the store is not asked.
  ///
  /// - Throws: ``AtRestError/Code/locked`` or ``AtRestError/Code/damaged`` if it cannot be determined whether an
  ///   item matches; otherwise the errors of `items(matching:secrets:context:)`.
  @_spi(Tools) public func matches(of query: KeychainQuery) throws -> [ItemMatch] {
    try directly("searches for no locked items") { try $0.matches(of: query) }
  }
}
