import AtRestCrypto
import Foundation

/// An item that a query found.
public final class KeychainItem: Sendable {
  /// A reference that finds the item again after any of its attributes changed.
  public let reference: PersistentReference
  /// The attributes that identify the item.
  public let primaryKey: PrimaryKey
  /// All attributes of the item, without its secret.
  public let attributes: ItemAttributes
  /// The protection of the item.
  public let protection: ItemProtection
  /// True if the item has a value.
  public let hasSecret: Bool
  private let secret: SecretBox?

  /// The class of the item.
  public var itemClass: ItemClass { primaryKey.itemClass }
  /// The access group of the item.
  public var group: String { primaryKey.group ?? "" }

  init(
    reference: PersistentReference, primaryKey: PrimaryKey, attributes: ItemAttributes,
    protection: ItemProtection, hasSecret: Bool, secret: SecretBox?
  ) {
    self.reference = reference
    self.primaryKey = primaryKey
    self.attributes = attributes
    self.protection = protection
    self.hasSecret = hasSecret
    self.secret = secret
  }

  /// Calls a closure with the secret's bytes. The closure must not keep the pointer.
  ///
  /// - Returns: The result of the closure, or nil if secrets were not requested or the item has
  ///   none.
  public func withSecret<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    try secret?.bytes.withUnsafeBytes(body)
  }
}

/// The items that a query found, and those that it found but could not read.
///
/// The collection contains the readable items. If it is incomplete, ``withheld`` lists the rest. If
/// nothing is readable, the query throws the reason instead.
public struct KeychainItems: RandomAccessCollection, Sendable {
  /// An item that exists but could not be read.
  public struct Withheld: Sendable {
    /// The item. nil stands for several items in a damaged part of the index.
    public let reference: PersistentReference?
    /// The reason: locked, not permitted or damaged.
    public let reason: AtRestError
  }

  private let items: [KeychainItem]
  /// The items that exist but could not be read, with the reasons.
  public let withheld: [Withheld]

  init(_ items: [KeychainItem], withheld: [Withheld]) {
    self.items = items
    self.withheld = withheld
  }

  public var startIndex: Int { items.startIndex }
  public var endIndex: Int { items.endIndex }
  public subscript(position: Int) -> KeychainItem { items[position] }
}

/// The changes that an update makes. Properties that are nil stay unchanged.
public struct ItemChange: Sendable, Hashable {
  /// The attributes to set. Attributes of the primary key move the item.
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

/// A change of an item, as reported by ``Keychain/changes``.
public struct KeychainChange: Sendable, Hashable {
  /// The kinds of changes.
  public enum Kind: String, Sendable, Codable {
    case added, updated, deleted
    /// Another process changed something.
    case external
  }

  /// The kind of the change.
  public let kind: Kind
  /// The reference of the item, or nil for ``Kind/external``.
  public let reference: PersistentReference?
}
