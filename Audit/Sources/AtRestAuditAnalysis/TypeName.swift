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
}
