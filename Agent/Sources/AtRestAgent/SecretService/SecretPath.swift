@_spi(Tools) import AtRestBus

/// The object of a path below `/org/freedesktop/secrets`.
///
/// Some clients take the name of a collection out of its path, so it is written as gnome-keyring does.
enum SecretPath: Hashable {
  case service
  case collection(String)
  /// The collection to which an alias leads.
  case alias(String)
  /// An item, by the name of its collection and its number in the store.
  case item(String, UInt64)
  /// A session of the connection.
  case session(UInt64)
  /// A prompt of the connection.
  case prompt(UInt64)

  static let root = "/org/freedesktop/secrets"

  init?(_ path: String) {
    guard path.hasPrefix(Self.root) else { return nil }
    let parts = path.dropFirst(Self.root.count).split(
      separator: "/", omittingEmptySubsequences: false
    ).map(String.init)
    switch (parts.count, parts.dropFirst().first) {
    case (1, nil) where parts[0].isEmpty: self = .service
    case (3, "collection"): self = .collection(BusPath.name(parts[2]))
    case (4, "collection"):
      guard let number = UInt64(parts[3]), String(number) == parts[3] else { return nil }
      self = .item(BusPath.name(parts[2]), number)
    case (3, "aliases"): self = .alias(BusPath.name(parts[2]))
    case (3, "session"):
      guard let number = UInt64(parts[2]) else { return nil }
      self = .session(number)
    case (3, "prompt"):
      guard let number = UInt64(parts[2]) else { return nil }
      self = .prompt(number)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .service: Self.root
    case .collection(let name): Self.root + "/collection/" + BusPath.part(name)
    case .alias(let name): Self.root + "/aliases/" + BusPath.part(name)
    case .item(let name, let number): SecretPath.collection(name).text + "/\(number)"
    case .session(let number): Self.root + "/session/\(number)"
    case .prompt(let number): Self.root + "/prompt/\(number)"
    }
  }

  /// The value of a path.
  var value: BusValue { .path(text) }
}
