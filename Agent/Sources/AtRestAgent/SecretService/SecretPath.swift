@_spi(Tools) import AtRestBus

/// The object of a path below `/org/freedesktop/secrets`.
///
/// The path of a collection has its name with every byte but letters and digits as `_` and two hexadecimal digits,
/// as in gnome-keyring: some clients take the name out of the path.
enum SecretPath: Hashable {
  case service
  case collection(String)
  /// The collection to which an alias leads.
  case alias(String)
  /// An item, by the name of its collection and its number in the store.
  case item(String, UInt64)
  /// A session of the connection.
  case session(UInt64)

  static let root = "/org/freedesktop/secrets"

  init?(_ path: String) {
    guard path.hasPrefix(Self.root) else { return nil }
    let parts = path.dropFirst(Self.root.count).split(
      separator: "/", omittingEmptySubsequences: false
    ).map(String.init)
    switch (parts.count, parts.dropFirst().first) {
    case (1, nil) where parts[0].isEmpty: self = .service
    case (3, "collection"): self = .collection(Self.name(parts[2]))
    case (4, "collection"):
      guard let number = UInt64(parts[3]), String(number) == parts[3] else { return nil }
      self = .item(Self.name(parts[2]), number)
    case (3, "aliases"): self = .alias(Self.name(parts[2]))
    case (3, "session"):
      guard let number = UInt64(parts[2]) else { return nil }
      self = .session(number)
    default: return nil
    }
  }

  var text: String {
    switch self {
    case .service: Self.root
    case .collection(let name): Self.root + "/collection/" + Self.part(name)
    case .alias(let name): Self.root + "/aliases/" + Self.part(name)
    case .item(let name, let number): SecretPath.collection(name).text + "/\(number)"
    case .session(let number): Self.root + "/session/\(number)"
    }
  }

  /// The value of a path.
  var value: BusValue { .path(text) }

  private static func part(_ name: String) -> String {
    guard !name.isEmpty else { return "_" }
    return name.utf8.map { byte in
      isPlain(byte)
        ? String(UnicodeScalar(byte))
        : "_" + String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func name(_ part: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "_"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else if byte != UInt8(ascii: "_") {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
