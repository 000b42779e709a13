extension DecodedText {
  /// The entities defined by XML, and HTML entities that stand for an ASCII character or a space.
  private static let entities: [(name: [UInt8], text: [UInt8])] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", "\u{A0}"),
    ("sol", "/"), ("bsol", "\\"), ("equals", "="), ("plus", "+"), ("num", "#"), ("grave", "`"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// Returns the text with HTML and XML entities (`&amp;`, `&#65;`, `&#x41;`) resolved, or nil if
  /// it contains none.
  func withoutEntities() -> DecodedText? {
    guard bytes.contains(UInt8(ascii: "&")) else { return nil }
    var result = DecodedText()
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "&"), let (text, end) = entity(at: index) {
        for byte in text { result.append(byte, index, end) }
        index = end
      } else {
        result.append(bytes[index], index, index + 1)
        index += 1
      }
    }
    return result
  }

  /// Returns the text of an entity and the index after it, or nil if there is no entity at the
  /// index. The semicolon may be missing after a number.
  private func entity(at start: Int) -> (text: [UInt8], end: Int)? {
    let name = start + 1
    guard name < bytes.count else { return nil }
    if bytes[name] == UInt8(ascii: "#") { return numberedEntity(at: name + 1) }
    for (entity, text) in Self.entities {
      let end = name + entity.count
      if end < bytes.count, bytes[end] == UInt8(ascii: ";"), bytes[name..<end].elementsEqual(entity)
      {
        return (text, end + 1)
      }
    }
    return nil
  }

  private func numberedEntity(at start: Int) -> (text: [UInt8], end: Int)? {
    let isHex = start < bytes.count && bytes[start] | 0x20 == UInt8(ascii: "x")
    var end = isHex ? start + 1 : start
    let first = end
    var value: UInt32 = 0
    while end < bytes.count, end - first < 8, let digit = bytes[end].hexDigit, isHex || digit < 10 {
      value = value &* (isHex ? 16 : 10) &+ UInt32(digit)
      end += 1
    }
    guard end > first, let scalar = Unicode.Scalar(value) else { return nil }
    if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
    return (Array(String(Character(scalar)).utf8), end)
  }
}
