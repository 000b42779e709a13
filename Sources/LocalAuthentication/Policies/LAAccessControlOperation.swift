/// An operation on an item or a key with access control.
public enum LAAccessControlOperation: Int, Sendable {
  /// An item is added.
  case createItem = 0
  /// An item is read or updated.
  case useItem = 1
  /// A key is created.
  case createKey = 2
  /// A key signs.
  case useKeySign = 3
  /// A key decrypts.
  case useKeyDecrypt = 4
  /// A key agrees on a secret.
  case useKeyKeyExchange = 5

  var isCreation: Bool { self == .createItem || self == .createKey }
}
