import AtRestAuditModel

/// Takes apart the names of types as written.
package enum TypeName {
  /// Returns the plain name: `User` for `[User]?`, `Array<User>`, `some User`, `Module.User` and
  /// `NSArray<User *>`.
  package static func plain(_ text: String) -> String {
    var bytes = text.utf8[...]
    while let last = bytes.last, "?!* ".utf8.contains(last) { bytes.removeLast() }
    if let open = bytes.firstIndex(of: UInt8(ascii: "<")) { bytes = bytes[..<open] }
    if let dot = bytes.lastIndex(of: UInt8(ascii: ".")) {
      bytes = bytes[bytes.index(after: dot)...]
    }
    return bytes.count == text.utf8.count ? text : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the type of a collection's elements: `User` for `[User]`, `Array<User>`,
  /// `Results<User>` and `NSFetchRequest<User>`. Returns nil if the type is not a collection.
  package static func element(_ text: String) -> String? {
    if text.hasPrefix("["), text.hasSuffix("]"), !text.contains(":") {
      return plain(String(text.dropFirst().dropLast()))
    }
    guard let open = text.firstIndex(of: "<"), text.hasSuffix(">"), !text.contains(",") else {
      return nil
    }
    return plain(String(text[text.index(after: open)...].dropLast()))
  }

  /// Returns what a publisher or promise brings: `Token` for `AnyPublisher<Token, Error>`. Returns
  /// nil for other types.
  package static func output(_ text: String) -> String? {
    guard let open = text.firstIndex(of: "<"), text.hasSuffix(">") else { return nil }
    let name = text[..<open]
    guard
      [
        "Publisher", "Subject", "Observable", "Single", "Maybe", "Driver", "Relay", "Promise",
        "Future", "Result", "Guarantee", "SignalProducer", "Signal",
      ].contains(where: name.hasSuffix)
    else { return nil }
    return parts(text[text.index(after: open)...].dropLast()).first.map { plain(String($0)) }
  }

  /// Returns the elements of the type of a tuple, with their labels: `token: String` and `Int` for
  /// `(token: String, Int)`. The list is empty for other types.
  static func fields(of text: String) -> [(label: String?, type: String)] {
    guard text.hasPrefix("("), text.hasSuffix(")"), !text.contains("->") else { return [] }
    let fields = parts(text.dropFirst().dropLast())
    guard fields.count > 1 else { return [] }
    return fields.map { field in
      let field = field.trimmingPrefix { $0 == " " }
      guard let colon = field.firstIndex(of: ":"), !field.hasPrefix("[") else {
        return (nil, String(field))
      }
      let type = field[field.index(after: colon)...].trimmingPrefix { $0 == " " }
      return (String(field[..<colon]), String(type))
    }
  }

  /// Returns the type of the elements of a dictionary or of a list of tuples, as a tuple: `(Key, Value)`
  /// for `[Key: Value]`. Returns nil for other types.
  static func pair(_ text: String) -> String? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let inner = text.dropFirst().dropLast()
    if inner.hasPrefix("(") { return String(inner) }
    var depth = 0
    for index in inner.indices {
      if "([<".contains(inner[index]) { depth += 1 }
      if ")]>".contains(inner[index]) { depth -= 1 }
      if depth == 0, inner[index] == ":" {
        return "(\(inner[..<index]),\(inner[inner.index(after: index)...]))"
      }
    }
    return nil
  }

  /// Returns the parameters of the type of a function, as written: `_ token: String` for
  /// `(_ token: String) -> Void`.
  static func parameters(of text: String) -> [Substring] {
    guard let open = text.firstIndex(of: "("), text.contains("->") else { return [] }
    var depth = 0
    for index in text[open...].indices {
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth -= 1 }
      if depth == 0 { return parts(text[text.index(after: open)..<index]) }
    }
    return []
  }

  /// Splits a list at the commas that are in no brackets.
  private static func parts(_ text: Substring) -> [Substring] {
    var depth = 0
    return text.split { character in
      if "(<[".contains(character) { depth += 1 }
      if ")>]".contains(character) { depth -= 1 }
      return character == "," && depth == 0
    }
  }
}
