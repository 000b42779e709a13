import Foundation

/// Which items are meant: a class, and what their attributes must be.
///
/// ```swift
/// let query = Query(.genericPassword, [.service: "com.example.api"])
/// for item in try keychain.items(matching: query) { print(item.attributes.account ?? "") }
/// ```
public struct Query: Hashable, Sendable {
  /// Which items are meant, by whether they are synchronizable.
  public enum Synchronizable: Sendable, Hashable {
    /// Those that are not.
    case no
    /// Those that are.
    case yes
    /// Both.
    case any
  }

  /// The kind of item.
  public var itemClass: ItemClass
  /// What the attributes must be, all of them, compared by bytes.
  public var attributes: Attributes
  /// Only items of this accessibility.
  public var accessibility: Accessibility?
  /// Only items of this access group; nil: all that the caller owns.
  public var group: String?
  /// Items that are not synchronizable, unless it is said otherwise.
  public var synchronizable: Synchronizable
  /// At most so many items; nil: all.
  public var limit: Int?

  /// Makes a query. Attributes are checked when it is used.
  public init(
    _ itemClass: ItemClass, _ attributes: Attributes = [:], accessibility: Accessibility? = nil,
    group: String? = nil, synchronizable: Synchronizable = .no, limit: Int? = nil
  ) {
    self.itemClass = itemClass
    self.attributes = attributes
    self.accessibility = accessibility
    self.group = group
    self.synchronizable = synchronizable
    self.limit = limit
  }

  /// The query that finds the item with a primary key.
  public init(_ key: PrimaryKey) {
    self.init(
      key.itemClass, key.attributes, group: key.group,
      synchronizable: key.isSynchronizable ? .yes : .no)
  }
}
