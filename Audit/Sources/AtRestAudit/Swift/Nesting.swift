/// Tells code that would exhaust the stack of a parser that has no bound of its own.
enum Nesting {
  /// Brackets within brackets. Those in texts and comments count too, which real code has few of unclosed.
  static let deepest = 500
  /// Members, calls and indices in one chain.
  static let longest = 10_000

  /// Where the code goes too deep, if it does.
  static func tooDeep(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    var depth = 0
    var chain = 0
    var isStartOfLine = true
    for (offset, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "("), UInt8(ascii: "{"):
        depth += 1
        chain += 1
      case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case UInt8(ascii: "."), UInt8(ascii: "?"): chain += 1
      case UInt8(ascii: "\n"):
        isStartOfLine = true
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
      default:
        // A line that begins with anything else begins something else, outside of brackets.
        if isStartOfLine, depth == 0 { chain = 0 }
      }
      isStartOfLine = false
      if depth > deepest || chain > longest { return Int32(clamping: offset) }
    }
    return nil
  }
}
