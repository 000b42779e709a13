/// What is to be done with what an access control protects.
public enum LAAccessControlOperation: Int, Sendable {
  /// An item is added.
  case createItem = 0
  /// An item is read or changed.
  case useItem = 1
  /// A key is made.
  case createKey = 2
  /// A key signs.
  case useKeySign = 3
  /// A key decrypts.
  case useKeyDecrypt = 4
  /// A key agrees.
  case useKeyKeyExchange = 5

  var isCreation: Bool { self == .createItem || self == .createKey }
}
