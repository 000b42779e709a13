import AtRestCrypto

/// An item that a query may match but that could not be read.
struct HiddenItem {
  /// The entry of the item, or nil for items in a damaged part of the index.
  var entry: IndexEntry?
  var reason: AtRestError
  /// True if the index or the item's own terms show that the query matches the item.
  var isCertain: Bool
}
