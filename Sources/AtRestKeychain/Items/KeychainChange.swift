/// A change of an item, as reported by ``Keychain/changes``.
public struct KeychainChange: Sendable, Hashable {
  /// The kinds of changes.
  public enum Kind: String, Sendable, Codable {
    case added, updated, deleted
    /// Another process or another ``Keychain`` object changed the database.
    case external
  }

  /// The kind of the change.
  public let kind: Kind
  /// The reference of the item, or nil for ``Kind/external``.
  public let reference: PersistentReference?
}
