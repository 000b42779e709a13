import Foundation

extension FileType {
  /// Detects text in UTF-8, or in UTF-16 or UTF-32 with a byte order mark, and formats written in
  /// text.
  static func text(_ head: [UInt8], isWhole: Bool) -> FileType? {
    var bytes = head[...]
    if isMarkedWide(head) {
      bytes = TextBytes.utf8(of: Data(head))[...]
    } else {
      if head.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = head.dropFirst(3) }
      guard isText(bytes, isWhole: isWhole) else { return nil }
    }
    let trimmed = bytes.drop { isSpace($0) }
    guard let first = trimmed.first else { return .text }
    if first == UInt8(ascii: "<") { return markup(trimmed) }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      return isJSON(trimmed) ? .json : .text
    }
    return .text
  }

  private static func isMarkedWide(_ head: [UInt8]) -> Bool {
    head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
      || head.starts(with: [0, 0, 0xFE, 0xFF])
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns true for valid UTF-8 without control characters that are unusual in text. A character
  /// may be cut off at the end of the head.
  private static func isText(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> Bool {
    for byte in bytes where byte < 0x20 && !(0x07...0x0D).contains(byte) && byte != 0x1B {
      return false
    }
    if validates(bytes) { return true }
    guard !isWhole else { return false }
    return (1...3).contains { validates(bytes.dropLast($0)) && endsCut(bytes.suffix($0)) }
  }

  private static func validates(_ bytes: ArraySlice<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  private static func endsCut(_ tail: ArraySlice<UInt8>) -> Bool {
    guard let first = tail.first, first >= 0xC2 else { return false }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return tail.count < length && tail.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
  }

  private static func markup(_ text: ArraySlice<UInt8>) -> FileType {
    let head = String(decoding: text.prefix(1024), as: UTF8.self).lowercased()
    if head.contains("<!doctype plist") || head.contains("<plist") { return .xmlPropertyList }
    if head.hasPrefix("<!doctype html") || head.hasPrefix("<html") { return .html }
    guard head.hasPrefix("<?xml") || head.hasPrefix("<!") else {
      let second = text.dropFirst().first ?? 0
      let isName = (0x41...0x5A).contains(second & 0xDF) || second == UInt8(ascii: "_")
      return isName ? .xml : .text
    }
    return head.contains("<html") ? .html : .xml
  }

  /// Returns true if an object or array begins like JSON, and not like a log line, `[12:04] …`.
  private static func isJSON(_ text: ArraySlice<UInt8>) -> Bool {
    guard let open = text.first else { return false }
    var rest = text.dropFirst().drop { isSpace($0) }
    guard let first = rest.first else { return false }
    if open == UInt8(ascii: "{") {
      return first == UInt8(ascii: "\"") || first == UInt8(ascii: "}")
    }
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return true
    case UInt8(ascii: "]"): return rest.dropFirst().allSatisfy { isSpace($0) }
    default: break
    }
    let word = rest.prefix { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
        || [0x2B, 0x2D, 0x2E, 0x45]
          .contains(byte)
    }
    rest = rest[word.endIndex...].drop { isSpace($0) }
    let text = String(decoding: word, as: UTF8.self)
    guard ["true", "false", "null"].contains(text) || Double(text) != nil else { return false }
    guard let next = rest.first else { return true }
    return next == UInt8(ascii: ",")
      || next == UInt8(ascii: "]") && rest.dropFirst().allSatisfy { isSpace($0) }
  }
}
