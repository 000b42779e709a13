import AtRestAuditModel

extension ObjectiveCParser {
  /// Reads adjacent strings as one string. A macro among them is a value in it.
  mutating func strings() -> Expression {
    let start = index
    var pieces: [StringPiece] = []
    var text = ""
    while index < limit {
      switch kind() {
      case .string, .objectString, .character: text += decoded(tokens[index])
      case .at where kind(1) == .string: break
      case .word where index == start || isMacroInString:
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        let value = Expression(.name(name(at: index)), tokens[index].start..<tokens[index].end)
        pieces.append(.value([Argument(nil, value)]))
      default:
        if !text.isEmpty { pieces.append(.text(text)) }
        return make(.string(pieces), from: start)
      }
      index += 1
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    return make(.string(pieces), from: start)
  }

  /// True if the word at the cursor, after a string, is a macro for a string. A label is not such a
  /// macro, and neither is the first word of a statement whose predecessor lacks a semicolon.
  private var isMacroInString: Bool {
    if word() != nil { return false }
    if tokens[index].isFirstOnLine, !takesBraces { return false }
    switch kind(1) {
    case .string, .objectString, .comma, .closeParen, .end, .semicolon: return true
    default: return false
    }
  }

  /// Returns the text of a string or character with its escapes resolved.
  private func decoded(_ token: ObjectiveCToken) -> String {
    var start = Int(token.start)
    var end = Int(token.end)
    let quote: UInt8 = token.kind == .character ? UInt8(ascii: "'") : UInt8(ascii: "\"")
    var isRaw = false
    while start < end, bytes[start] != quote {
      isRaw = isRaw || bytes[start] == UInt8(ascii: "R")
      start += 1
    }
    start += 1
    if end > start, bytes[end - 1] == quote { end -= 1 }
    guard start < end else { return "" }
    if isRaw {
      guard let open = bytes[start..<end].firstIndex(of: UInt8(ascii: "(")) else { return "" }
      let length = open - start
      return String(
        decoding: bytes[(open + 1)..<max(open + 1, end - length - 1)], as: UTF8.self)
    }
    guard bytes[start..<end].contains(UInt8(ascii: "\\")) else {
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
    return unescaped(start, end)
  }

  private func unescaped(_ start: Int, _ end: Int) -> String {
    var out: [UInt8] = []
    out.reserveCapacity(end - start)
    var at = start
    while at < end {
      let byte = bytes[at]
      at += 1
      guard byte == UInt8(ascii: "\\"), at < end else {
        out.append(byte)
        continue
      }
      let escape = bytes[at]
      at += 1
      switch escape {
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "a"): out.append(0x07)
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "v"): out.append(0x0B)
      case UInt8(ascii: "e"): out.append(0x1B)
      case UInt8(ascii: "\r"): if at < end, bytes[at] == 0x0A { at += 1 }
      case UInt8(ascii: "\n"): break
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        at -= 1
        out.append(UInt8(truncatingIfNeeded: digits(&at, end, radix: 8, most: 3)))
      case UInt8(ascii: "x"):
        out.append(UInt8(truncatingIfNeeded: digits(&at, end, radix: 16, most: 8)))
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        let value = digits(&at, end, radix: 16, most: escape == UInt8(ascii: "u") ? 4 : 8)
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        out.append(contentsOf: String(Character(scalar)).utf8)
      default: out.append(escape)
      }
    }
    // The bytes of a key may not be valid text. Each byte then becomes a character, so that none is
    // lost.
    return String(validating: out, as: UTF8.self)
      ?? String(String.UnicodeScalarView(out.map { Unicode.Scalar($0) }))
  }

  private func digits(_ at: inout Int, _ end: Int, radix: UInt32, most: Int) -> UInt32 {
    var value: UInt32 = 0
    var count = 0
    while at < end, count < most, let digit = Self.digit(bytes[at]), digit < radix {
      value = value &* radix &+ digit
      at += 1
      count += 1
    }
    return value
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte) - 0x57
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte) - 0x37
    default: nil
    }
  }
}
