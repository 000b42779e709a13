import Foundation

/// Reads property lists that are written as text: old ASCII lists, `.strings`, and JSON.
///
/// One reader is enough, because the formats differ only in their punctuation: `=` and `;` in ASCII
/// lists, `:` and `,` in JSON. Comments are skipped in both.
struct TextPropertyListReader {
  enum Dialect { case ascii, json }

  private let path: String
  private let bytes: [UInt8]
  private let dialect: Dialect
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  private var budget = PropertyList.valueLimit
  private var skipped: [Skip] = []
  private var reasons: Set<String> = []

  init(path: String, bytes: [UInt8], dialect: Dialect) {
    self.path = path
    self.bytes = bytes
    self.dialect = dialect
  }

  mutating func read() -> PropertyList {
    passBlanks()
    var root: PropertyList.Node?
    if offset < bytes.count {
      let start = position
      switch bytes[offset] {
      case UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"):
        root = node(depth: 0)
      default:
        // `.strings` has entries without braces around them.
        root =
          dialect == .json
          ? node(depth: 0) : PropertyList.Node(.dictionary(entries(until: nil, depth: 0)), start)
      }
      passBlanks()
      if offset < bytes.count { skip("There is unexpected data after the property list.") }
    } else if dialect == .json {
      skip("The file is empty.")
    } else {
      root = PropertyList.Node(.dictionary([]))
    }
    return PropertyList(
      path: path, format: dialect == .json ? .json : .ascii, root: root, skipped: skipped)
  }

  private var position: Position { Position(line: line, column: offset - lineStart + 1) }

  private mutating func skip(_ reason: String) {
    if reasons.count < 8, reasons.insert(reason).inserted {
      skipped.append(Skip(path: path, line: line, reason: reason))
    }
  }

  // MARK: Values

  private mutating func node(depth: Int) -> PropertyList.Node? {
    passBlanks()
    guard offset < bytes.count else {
      skip("The file ends where a value is expected.")
      return nil
    }
    budget -= 1
    guard budget >= 0 else {
      skip("Values after the first \(PropertyList.valueLimit) are skipped.")
      offset = bytes.count
      return nil
    }
    guard depth < PropertyList.depthLimit else {
      skip("Values nested deeper than \(PropertyList.depthLimit) levels are skipped.")
      offset = bytes.count
      return nil
    }
    let start = position
    switch (bytes[offset], dialect) {
    case (UInt8(ascii: "{"), _):
      offset += 1
      return PropertyList.Node(
        .dictionary(entries(until: UInt8(ascii: "}"), depth: depth + 1)), start)
    case (UInt8(ascii: "("), .ascii):
      offset += 1
      return PropertyList.Node(.array(elements(until: UInt8(ascii: ")"), depth: depth + 1)), start)
    case (UInt8(ascii: "["), .json):
      offset += 1
      return PropertyList.Node(.array(elements(until: UInt8(ascii: "]"), depth: depth + 1)), start)
    case (UInt8(ascii: "<"), .ascii):
      return data().map { PropertyList.Node(.data($0), start, end: position) }
    case (UInt8(ascii: "\""), _), (UInt8(ascii: "'"), _):
      let text = quoted()
      return PropertyList.Node(.string(text), start, end: position)
    default:
      guard let word = word() else {
        skip("A value is malformed.")
        step()
        return nil
      }
      return PropertyList.Node(
        dialect == .json ? literal(word) : .string(word), start, end: position)
    }
  }

  private mutating func literal(_ word: String) -> PropertyList.Value {
    switch word {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    default:
      if let number = Int64(word) { return .integer(number) }
      if let number = Double(word) { return .real(number) }
      skip("A value is malformed.")
      return .string(word)
    }
  }

  private mutating func elements(until end: UInt8, depth: Int) -> [PropertyList.Node] {
    var nodes: [PropertyList.Node] = []
    while true {
      passBlanks()
      guard offset < bytes.count else {
        skip("The file ends inside an array.")
        return nodes
      }
      switch bytes[offset] {
      case end:
        offset += 1
        return nodes
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"), UInt8(ascii: ";"):
        // The array is not closed. This character belongs to the dictionary around it.
        skip("An array is not closed.")
        return nodes
      default:
        if let node = node(depth: depth) { nodes.append(node) }
      }
    }
  }

  private mutating func entries(until end: UInt8?, depth: Int) -> [PropertyList.Entry] {
    var entries: [PropertyList.Entry] = []
    while true {
      passBlanks()
      guard offset < bytes.count else {
        if end != nil { skip("The file ends inside a dictionary.") }
        return entries
      }
      let byte = bytes[offset]
      if byte == end {
        offset += 1
        return entries
      }
      if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") {
        offset += 1
        continue
      }
      let start = position
      guard let key = text() else {
        if end != nil, byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") {
          skip("A dictionary is not closed.")
          return entries
        }
        skip("A key is malformed.")
        step()
        continue
      }
      passBlanks()
      guard offset < bytes.count,
        bytes[offset] == (dialect == .json ? UInt8(ascii: ":") : UInt8(ascii: "="))
      else {
        if dialect == .ascii, offset < bytes.count, bytes[offset] == UInt8(ascii: ";") {
          // The value of `key;` in `.strings` is the key's own text.
          let node = PropertyList.Node(.string(key), start, end: position)
          entries.append(PropertyList.Entry(key, node, start))
        } else {
          skip("A key has no value.")
        }
        continue
      }
      offset += 1
      if let node = node(depth: depth) {
        entries.append(PropertyList.Entry(key, node, start))
      }
    }
  }

  // MARK: Texts

  private mutating func text() -> String? {
    let byte = bytes[offset]
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return quoted()
    }
    return word()
  }

  private mutating func quoted() -> String {
    let quote = bytes[offset]
    offset += 1
    let start = offset
    while offset < bytes.count, bytes[offset] != quote, bytes[offset] != UInt8(ascii: "\\") {
      step()
    }
    if offset < bytes.count, bytes[offset] == quote {
      defer { offset += 1 }
      return String(decoding: bytes[start..<offset], as: UTF8.self)
    }
    var result = Array(bytes[start..<offset])
    while offset < bytes.count, bytes[offset] != quote {
      if bytes[offset] == UInt8(ascii: "\\") {
        offset += 1
        if offset < bytes.count { appendEscape(to: &result) }
      } else {
        result.append(bytes[offset])
        step()
      }
    }
    if offset < bytes.count { offset += 1 } else { skip("A string is not closed.") }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func appendEscape(to result: inout [UInt8]) {
    let byte = bytes[offset]
    switch byte {
    case UInt8(ascii: "n"): result.append(0x0A)
    case UInt8(ascii: "t"): result.append(0x09)
    case UInt8(ascii: "r"): result.append(0x0D)
    case UInt8(ascii: "b"): result.append(0x08)
    case UInt8(ascii: "f"): result.append(0x0C)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      offset += 1
      var units = [hex()]
      // The second half of a surrogate pair.
      if let first = units[0], 0xD800..<0xDC00 ~= first, offset + 1 < bytes.count,
        bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] | 0x20 == UInt8(ascii: "u")
      {
        offset += 2
        units.append(hex())
      }
      result += String(decoding: units.compactMap(\.self), as: UTF16.self).utf8
      return
    case UInt8(ascii: "0")...UInt8(ascii: "7") where dialect == .ascii:
      var code: UInt32 = 0
      var digits = 0
      while digits < 3, offset < bytes.count, 0x30...0x37 ~= bytes[offset] {
        code = code * 8 + UInt32(bytes[offset] - 0x30)
        offset += 1
        digits += 1
      }
      result += Unicode.Scalar(code).map { Array(String(Character($0)).utf8) } ?? []
      return
    default:
      result.append(byte)
      step()
      return
    }
    offset += 1
  }

  private mutating func hex() -> UInt16? {
    var code: UInt16 = 0
    var digits = 0
    while digits < 4, offset < bytes.count, let digit = Self.hexDigit(bytes[offset]) {
      code = code << 4 | UInt16(digit)
      offset += 1
      digits += 1
    }
    return digits == 0 ? nil : code
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  private mutating func word() -> String? {
    let start = offset
    while offset < bytes.count, Self.isWordPart(bytes[offset]), !isComment { offset += 1 }
    return start == offset ? nil : String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "$"),
      UInt8(ascii: "@"), 0x80...:
      true
    default: false
    }
  }

  private mutating func data() -> Data? {
    offset += 1
    var result = Data()
    var high: UInt8?
    while offset < bytes.count, bytes[offset] != UInt8(ascii: ">") {
      if let digit = Self.hexDigit(bytes[offset]) {
        if let first = high {
          result.append(first << 4 | digit)
          high = nil
        } else {
          high = digit
        }
      } else if ![0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) {
        skip("Data contains a character that is not a hexadecimal digit.")
      }
      step()
    }
    if offset < bytes.count { offset += 1 } else { skip("Data is not closed.") }
    return result
  }

  // MARK: Blanks

  private mutating func step() {
    if bytes[offset] == 0x0A {
      line += 1
      lineStart = offset + 1
    }
    offset += 1
  }

  private var isComment: Bool {
    offset + 1 < bytes.count && bytes[offset] == UInt8(ascii: "/")
      && (bytes[offset + 1] == UInt8(ascii: "/") || bytes[offset + 1] == UInt8(ascii: "*"))
  }

  private mutating func passBlanks() {
    while offset < bytes.count {
      if bytes[offset] <= 0x20 || bytes[offset] == 0x7F {
        step()
      } else if isComment {
        passComment()
      } else {
        return
      }
    }
  }

  private mutating func passComment() {
    let isLine = bytes[offset + 1] == UInt8(ascii: "/")
    offset += 2
    if isLine {
      while offset < bytes.count, bytes[offset] != 0x0A { offset += 1 }
      return
    }
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "*"), offset + 1 < bytes.count,
        bytes[offset + 1] == UInt8(ascii: "/")
      {
        offset += 2
        return
      }
      step()
    }
    skip("The file ends inside a comment.")
  }
}
