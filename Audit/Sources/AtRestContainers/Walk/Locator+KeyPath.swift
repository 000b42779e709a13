extension Locator {
  /// The maximum size of a key path or name in bytes. Longer ones are cut off, because names in
  /// hostile files may be as long as the file.
  private static let pathLimit = 1024
  static let keyLimit = 256

  /// The key path of an entry. Keys that would be ambiguous are quoted.
  static func keyPath(_ path: String, _ key: String) -> String {
    let isPlain = !key.isEmpty && !key.utf8.contains { ".[]\"".utf8.contains($0) }
    let key = shortened(key, keyLimit)
    let name = isPlain ? key : "\"\(key)\""
    return path.isEmpty ? name : shortened("\(path).\(name)", pathLimit)
  }

  /// The key path of an element of an array.
  static func keyPath(_ path: String, _ index: Int) -> String {
    shortened("\(path)[\(index)]", pathLimit)
  }

  static func shortened(_ text: String, _ limit: Int = pathLimit) -> String {
    guard text.utf8.count > limit else { return text }
    return String(decoding: text.utf8.prefix(limit), as: UTF8.self) + "…"
  }
}
