import Foundation

extension XMLTree {
  /// Reads a document in UTF-8 or UTF-16.
  package static func read(_ data: Data, path: String) -> XMLTree {
    var reader = XMLReader(path: path, bytes: TextBytes.utf8(of: data))
    return reader.read()
  }
}

/// Reads a document in one pass, and continues after errors.
struct XMLReader {
  private let path: String
  private let bytes: [UInt8]
  private var offset = 0
  private var line: Int32 = 1
  private var lineStart = 0
  private var nodes: [XMLTree.Node] = []
  private var attributes: [XMLTree.AttributeRecord] = []
  private var texts: [XMLTree.TextRecord] = []
  private var open: [Int32] = []
  /// The number of open elements beyond the depth limit.
  private var beyond = 0
  private var skipped: [Skip] = []
  private var reasons: Set<String> = []
  private var names: [UInt64: String] = [:]

  init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  mutating func read() -> XMLTree {
    if bytes.count > Int32.max / 2 {
      skip("The file is too large.")
      return tree(of: [])
    }
    nodes.reserveCapacity(bytes.count / 100)
    attributes.reserveCapacity(bytes.count / 25)
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "<") { readMarkup() } else { readText() }
    }
    if let last = open.last {
      skip("The file ends inside <\(nodes[Int(last)].name)>.")
    }
    while !open.isEmpty { close() }
    if nodes.isEmpty { skip("This is not an XML document.") }
    return tree(of: bytes)
  }

  private func tree(of bytes: [UInt8]) -> XMLTree {
    XMLTree(
      path: path, skipped: skipped, bytes: bytes, nodes: nodes, attributes: attributes, texts: texts
    )
  }

  private mutating func skip(_ reason: String) {
    if reasons.count < 8, reasons.insert(reason).inserted {
      skipped.append(Skip(path: path, line: Int(line), reason: reason))
    }
  }

  // MARK: Markup

  private mutating func readMarkup() {
    switch byte(at: offset + 1) {
    case UInt8(ascii: "/"): readEndTag()
    case UInt8(ascii: "?"):
      if !moveBehind("?>", from: offset + 2) {
        skip("The file ends inside a processing instruction.")
      }
    case UInt8(ascii: "!"): readDeclaration()
    case let byte? where Self.isNameStart(byte): readStartTag()
    default: readText()
    }
  }

  private mutating func readDeclaration() {
    if starts(with: "<!--") {
      if !moveBehind("-->", from: offset + 4) { skip("The file ends inside a comment.") }
    } else if starts(with: "<![CDATA[") {
      let start = offset + 9
      let isWhole = moveBehind("]]>", from: start)
      if !isWhole { skip("The file ends inside a CDATA section.") }
      append(text: start..<max(start, isWhole ? offset - 3 : offset), isLiteral: true)
    } else {
      readDocumentType()
    }
  }

  /// Skips `<!DOCTYPE …>` and its declarations.
  private mutating func readDocumentType() {
    var depth = 0
    var quote: UInt8?
    var index = offset + 2
    while index < bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
        case UInt8(ascii: "]"): depth -= 1
        case UInt8(ascii: ">"):
          if depth <= 0 {
            move(to: index + 1)
            return
          }
          depth -= 1
        default: break
        }
      }
      index += 1
    }
    skip("The file ends inside its document type declaration.")
    move(to: bytes.count)
  }

  private mutating func readEndTag() {
    let name = readName(at: offset + 2)
    var index = name.upperBound
    while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<")
    {
      index += 1
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
    defer { move(to: index) }
    if beyond > 0 {
      beyond -= 1
      return
    }
    let text = self.name(at: name)
    guard let depth = open.lastIndex(where: { nodes[Int($0)].name == text }) else {
      skip("</\(text)> has no start tag.")
      return
    }
    if depth != open.count - 1 { skip("<\(nodes[Int(open[open.count - 1])].name)> is not closed.") }
    while open.count > depth { close() }
  }

  private mutating func close() {
    nodes[Int(open.removeLast())].end = Int32(nodes.count)
  }

  private mutating func readStartTag() {
    let start = offset
    let startLine = line
    let column = Int32(start - lineStart + 1)
    let name = readName(at: start + 1)
    let firstAttribute = Int32(attributes.count)
    move(to: name.upperBound)
    var isEmpty = false
    var isWhole = false
    while offset < bytes.count {
      let byte = bytes[offset]
      if Self.isBlank(byte) {
        step()
      } else if byte == UInt8(ascii: ">") {
        offset += 1
        isWhole = true
        break
      } else if byte == UInt8(ascii: "/") {
        isEmpty = self.byte(at: offset + 1) == UInt8(ascii: ">")
        offset += 1
      } else if byte == UInt8(ascii: "<") {
        break
      } else {
        readAttribute()
      }
    }
    if !isWhole { skip("A tag is not closed.") }
    if open.count >= XMLTree.depthLimit {
      skip("Elements nested deeper than \(XMLTree.depthLimit) levels are skipped.")
      attributes.removeLast(attributes.count - Int(firstAttribute))
      if !isEmpty { beyond += 1 }
      return
    }
    if open.isEmpty, !nodes.isEmpty {
      skip("The file contains more than one document.")
      // The second document would be a sibling of the root, and a tree has only one root.
      attributes.removeLast(attributes.count - Int(firstAttribute))
      if !isEmpty { beyond += 1 }
      return
    }
    let index = Int32(nodes.count)
    nodes.append(
      XMLTree.Node(
        name: self.name(at: name), start: Int32(start), tagEnd: Int32(offset), line: startLine,
        column: column, parent: open.last ?? -1, end: index + 1,
        attributes: firstAttribute..<Int32(attributes.count)))
    if !isEmpty { open.append(index) }
  }

  private mutating func readAttribute() {
    let name = readName(at: offset)
    guard !name.isEmpty else {
      skip("A tag contains text that is not an attribute.")
      step()
      return
    }
    let start = line
    move(to: name.upperBound)
    while offset < bytes.count, Self.isBlank(bytes[offset]) { step() }
    guard byte(at: offset) == UInt8(ascii: "=") else {
      skip("An attribute has no value.")
      return
    }
    offset += 1
    while offset < bytes.count, Self.isBlank(bytes[offset]) { step() }
    guard let quote = byte(at: offset), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    else {
      skip("The value of an attribute is not quoted.")
      return
    }
    var end = offset + 1
    while end < bytes.count, bytes[end] != quote, bytes[end] != UInt8(ascii: "<") { end += 1 }
    attributes.append(
      XMLTree.AttributeRecord(
        name: Int32(name.lowerBound)..<Int32(name.upperBound),
        value: Int32(offset + 1)..<Int32(end),
        line: start))
    if byte(at: end) == quote {
      move(to: end + 1)
    } else {
      skip("The value of an attribute is not closed.")
      move(to: end)
    }
  }

  // MARK: Text

  private mutating func readText() {
    let start = offset
    var isBlank = true
    repeat {
      if !Self.isBlank(bytes[offset]) { isBlank = false }
      step()
    } while offset < bytes.count && bytes[offset] != UInt8(ascii: "<")
    if isBlank {
      // Blanks count as text only if the element contains nothing else.
      guard let last = open.last, Int(last) == nodes.count - 1, nodes[Int(last)].firstText < 0,
        byte(at: offset + 1) == UInt8(ascii: "/")
      else { return }
    }
    append(text: start..<offset, isLiteral: false)
  }

  private mutating func append(text range: Range<Int>, isLiteral: Bool) {
    guard beyond == 0, let last = open.last.map(Int.init), !range.isEmpty else { return }
    let index = Int32(texts.count)
    texts.append(
      XMLTree.TextRecord(
        range: Int32(range.lowerBound)..<Int32(range.upperBound), isLiteral: isLiteral))
    if nodes[last].firstText < 0 {
      nodes[last].firstText = index
    } else {
      texts[Int(nodes[last].lastText)].next = index
    }
    nodes[last].lastText = index
  }

  // MARK: Bytes

  private func byte(at index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func step() {
    if bytes[offset] == 0x0A {
      line += 1
      lineStart = offset + 1
    }
    offset += 1
  }

  private mutating func move(to end: Int) {
    while offset < end { step() }
  }

  private func starts(with text: StaticString) -> Bool { matches(text, at: offset) }

  private func matches(_ text: StaticString, at index: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard index + count <= bytes.count else { return false }
    for position in 0..<count where bytes[index + position] != text.utf8Start[position] {
      return false
    }
    return true
  }

  /// Moves to after a mark. Moves to the end of the file and returns false if the mark is not
  /// found.
  private mutating func moveBehind(_ mark: StaticString, from start: Int) -> Bool {
    var index = min(start, bytes.count)
    while index < bytes.count {
      if matches(mark, at: index) {
        move(to: index + mark.utf8CodeUnitCount)
        return true
      }
      index += 1
    }
    move(to: bytes.count)
    return false
  }

  private func readName(at start: Int) -> Range<Int> {
    var end = min(start, bytes.count)
    let first = end
    while end < bytes.count, Self.isNamePart(bytes[end]) { end += 1 }
    return first..<end
  }

  /// Returns the same string for equal names, because a document has few of them.
  private mutating func name(at range: Range<Int>) -> String {
    guard range.count > 15, range.count <= 64 else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes[range] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    if let known = names[hash], known.utf8.elementsEqual(bytes[range]) { return known }
    let text = String(decoding: bytes[range], as: UTF8.self)
    names[hash] = text
    return text
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }

  private static func isNamePart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: isNameStart(byte)
    }
  }
}
