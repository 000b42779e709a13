/// The way in which a request to the agent selects items.
@_spi(Tools) public enum ItemSelector: Sendable, Hashable {
  /// The item with a primary key.
  case key(PrimaryKey)
  /// The item with a persistent reference.
  case reference(PersistentReference)
  /// The items that match a query.
  case query(KeychainQuery)

  /// True if the selector may select many items.
  var isQuery: Bool {
    if case .query = self { true } else { false }
  }
}
