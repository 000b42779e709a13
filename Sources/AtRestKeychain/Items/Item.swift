import AtRestCrypto
import Foundation

/// An item as a query found it.
public final class Item: Sendable {
  /// Finds the item again, whatever changes about it.
  public let reference: PersistentReference
  /// What makes it the one it is.
  public let primaryKey: PrimaryKey
  /// Everything known about it but its secret.
  public let attributes: Attributes
  /// How it is protected.
  public let protection: Protection
  /// True if it has a value at all.
  public let hasSecret: Bool
  private let secret: SecretBox?

  /// The kind of item.
  public var itemClass: ItemClass { primaryKey.itemClass }
  /// The access group.
  public var group: String { primaryKey.group ?? "" }

  init(
    reference: PersistentReference, primaryKey: PrimaryKey, attributes: Attributes,
    protection: Protection, hasSecret: Bool, secret: SecretBox?
  ) {
    self.reference = reference
    self.primaryKey = primaryKey
    self.attributes = attributes
    self.protection = protection
    self.hasSecret = hasSecret
    self.secret = secret
  }

  /// Calls a closure with the secret's bytes, which must not be kept beyond it.
  ///
  /// - Returns: What the closure returns, or nil if secrets were not asked for or there is none.
  public func withSecret<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    try secret?.bytes.withUnsafeBytes(body)
  }
}

/// The items that a query found, and those that it found and could not read.
///
/// A collection of the readable ones. A list that is shorter than it should be says so in
/// ``withheld``; where nothing at all is readable the query throws the reason instead.
public struct Items: RandomAccessCollection, Sendable {
  /// An item that exists and could not be read.
  public struct Withheld: Sendable {
    /// The item, or nil: some items of a part of the index that is damaged.
    public let reference: PersistentReference?
    /// Why: locked, not permitted, or damaged.
    public let reason: AtRestError
  }

  private let items: [Item]
  /// Items that exist and could not be read, with the reason.
  public let withheld: [Withheld]

  init(_ items: [Item], withheld: [Withheld]) {
    self.items = items
    self.withheld = withheld
  }

  public var startIndex: Int { items.startIndex }
  public var endIndex: Int { items.endIndex }
  public subscript(position: Int) -> Item { items[position] }
}

/// What an update changes; what is nil stays.
public struct ItemChange: Sendable, Hashable {
  /// Attributes to set, also those of the primary key, which moves the item.
  public var attributes: Attributes
  /// Attributes to remove.
  public var removed: Set<Attribute>
  /// The new protection.
  public var protection: Protection?
  /// The new access group.
  public var group: String?
  /// True if the item is synchronizable.
  public var isSynchronizable: Bool?

  /// Makes a change.
  public init(
    attributes: Attributes = [:], removing removed: Set<Attribute> = [],
    protection: Protection? = nil, group: String? = nil, synchronizable: Bool? = nil
  ) {
    self.attributes = attributes
    self.removed = removed
    self.protection = protection
    self.group = group
    isSynchronizable = synchronizable
  }
}

/// Something that happened to an item, as ``Keychain/changes`` tells it.
public struct KeychainChange: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Codable {
    case added, updated, deleted
    /// Another process changed something.
    case external
  }

  /// What happened.
  public let kind: Kind
  /// The item, or nil for ``Kind/external``.
  public let reference: PersistentReference?
}
