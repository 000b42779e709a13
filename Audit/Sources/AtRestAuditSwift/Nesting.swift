/// Detects code that would exhaust a parser that has no limits of its own.
///
/// Brackets in strings and line comments are ignored, as far as a simple scan can recognise them.
enum Nesting {
  /// The maximum depth of nested brackets.
  static let deepest = 500
  /// The maximum depth of nested `[`. Each level doubles the time that the parser takes to
  /// distinguish a type from a value.
  static let arrays = 12
  /// The maximum depth of nested `#if`. The parser searches each of them again.
  static let conditions = 50
  /// The maximum number of members, calls and indices in one chain.
  static let longest = 10_000

  /// Returns the offset at which the code exceeds a limit, or nil if it exceeds none.
  static func tooDeep(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    var depth = 0
    var arrays = 0
    var conditions = 0
    var chain = 0
    var isStartOfLine = true
    var offset = 0
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "["):
        depth += 1
        arrays += 1
        chain += 1
      case UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        arrays = max(0, arrays - 1)
      case UInt8(ascii: "("), UInt8(ascii: "{"):
        depth += 1
        chain += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "."), UInt8(ascii: "?"): chain += 1
      case UInt8(ascii: "\""):
        offset = endOfText(bytes, from: offset)
        isStartOfLine = false
        continue
      case UInt8(ascii: "/") where byte(offset + 1) == UInt8(ascii: "/"):
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        continue
      case UInt8(ascii: "#") where isStartOfLine:
        if byte(offset + 1) == UInt8(ascii: "i") { conditions += 1 }
        // `#end`, not `#else`.
        if byte(offset + 1) == UInt8(ascii: "e"), byte(offset + 2) == UInt8(ascii: "n") {
          conditions = max(0, conditions - 1)
        }
      case UInt8(ascii: "\n"):
        isStartOfLine = true
        offset += 1
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        offset += 1
        continue
      default:
        // Outside brackets, a line that begins with anything else ends the chain.
        if isStartOfLine, depth == 0 { chain = 0 }
      }
      isStartOfLine = false
      if depth > deepest || arrays > Self.arrays || chain > longest || conditions > Self.conditions
      {
        return Int32(clamping: offset)
      }
      offset += 1
    }
    return nil
  }

  /// Returns the offset after the quote that ends a string, or where the line ends if no quote
  /// does.
  private static func endOfText(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    let quote = UInt8(ascii: "\"")
    func isTriple(_ index: Int) -> Bool {
      index + 2 < bytes.count && bytes[index] == quote && bytes[index + 1] == quote
        && bytes[index + 2] == quote
    }
    let isLong = isTriple(start)
    var offset = start + (isLong ? 3 : 1)
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "\\") {
        offset += 2
      } else if isLong {
        if isTriple(offset) { return offset + 3 }
        offset += 1
      } else if bytes[offset] == quote {
        return offset + 1
      } else if bytes[offset] == UInt8(ascii: "\n") {
        return offset
      } else {
        offset += 1
      }
    }
    return bytes.count
  }
}
