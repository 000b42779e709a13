import AtRestCrypto

/// The items that a query found, with a list of the items that it could not read.
///
/// The collection contains the readable items. ``withheld`` lists the others. If no item is
/// readable, the query throws the first reason instead, unless the context skips items that require
/// asking the user.
public struct KeychainItems: RandomAccessCollection, Sendable {
  /// An item that exists but could not be read.
  public struct Withheld: Sendable {
    /// The item, or nil for items that nobody can name: those in a damaged part of the index, and those in
    /// access groups in which the agent does not let the program look.
    public let reference: PersistentReference?
    /// The reason: locked, not permitted or damaged.
    public let reason: AtRestError
  }

  private let items: [KeychainItem]
  /// The items that exist but could not be read, with the reasons.
  public let withheld: [Withheld]

  init(_ items: [KeychainItem], withheld: [Withheld] = []) {
    self.items = items
    self.withheld = withheld
  }

  /// Returns the same items with one more reason why there may be others.
  @_spi(Tools) public func withholding(_ reason: AtRestError) -> KeychainItems {
    KeychainItems(items, withheld: withheld + [Withheld(reference: nil, reason: reason)])
  }

  public var startIndex: Int { items.startIndex }
  public var endIndex: Int { items.endIndex }
  public subscript(position: Int) -> KeychainItem { items[position] }
}
