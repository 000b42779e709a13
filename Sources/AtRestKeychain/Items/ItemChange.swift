/// The changes that an update makes. A property that is nil leaves the item's value unchanged.
public struct ItemChange: Sendable, Hashable {
  /// The attributes to set. An attribute of the primary key moves the item to another primary key.
  public var attributes: ItemAttributes
  /// The attributes to remove.
  public var removed: Set<ItemAttribute>
  /// The new protection.
  public var protection: ItemProtection?
  /// The new access group.
  public var group: String?
  /// The new synchronizable state of the item.
  public var isSynchronizable: Bool?

  /// Creates a change.
  public init(
    attributes: ItemAttributes = [:], removing removed: Set<ItemAttribute> = [],
    protection: ItemProtection? = nil, group: String? = nil, synchronizable: Bool? = nil
  ) {
    self.attributes = attributes
    self.removed = removed
    self.protection = protection
    self.group = group
    isSynchronizable = synchronizable
  }
}
