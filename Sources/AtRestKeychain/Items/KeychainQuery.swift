import Foundation

/// A selection of items by class and attributes.
///
/// ```swift
/// let query = KeychainQuery(.genericPassword, [.service: "com.example.api"])
/// for item in try keychain.items(matching: query) { print(item.attributes.account ?? "") }
/// ```
public struct KeychainQuery: Hashable, Sendable {
  /// A filter by whether items are synchronizable.
  public enum Synchronizable: Sendable, Hashable {
    /// Items that are not synchronizable.
    case no
    /// Items that are synchronizable.
    case yes
    /// All items.
    case any
  }

  /// The class of the items.
  public var itemClass: ItemClass
  /// The attributes that the items must have. Values are compared byte by byte.
  public var attributes: ItemAttributes
  /// The accessibility of the items. nil matches any.
  public var accessibility: Accessibility?
  /// The access group of the items. nil matches all groups of the caller.
  public var group: String?
  /// The filter by whether items are synchronizable. The default is ``Synchronizable/no``.
  public var synchronizable: Synchronizable
  /// The maximum number of items, at least 1. nil means no limit.
  public var limit: Int?
  /// The item that the query is about, which has to match the other conditions too.
  @_spi(Tools) public var reference: PersistentReference?

  /// Creates a query. The attributes are checked when the query is used.
  public init(
    _ itemClass: ItemClass, _ attributes: ItemAttributes = [:], accessibility: Accessibility? = nil,
    group: String? = nil, synchronizable: Synchronizable = .no, limit: Int? = nil
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessibility = accessibility
    self.group = group
    self.synchronizable = synchronizable
    self.limit = limit
  }

  /// Creates the query that finds the item with a primary key.
  public init(_ key: PrimaryKey) {
    self.init(
      key.itemClass, key.attributes, group: key.group,
      synchronizable: key.isSynchronizable ? .yes : .no)
  }
}
