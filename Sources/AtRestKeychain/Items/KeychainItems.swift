import AtRestCrypto

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
