/// An item that a query matches, whether it can be read or not.
@_spi(Tools) public struct ItemMatch: Sendable, Hashable {
  /// The item.
  public let reference: PersistentReference
  /// False while the item is locked.
  public let isReadable: Bool
}
