/// The entities of XML and HTML in text.
enum Entity {
  /// The entities defined by XML, and HTML entities that stand for an ASCII character or a space.
  private static let names: [(name: [UInt8], text: [UInt8])] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", "\u{A0}"),
    ("sol", "/"), ("bsol", "\\"), ("equals", "="), ("plus", "+"), ("num", "#"), ("grave", "`"),
    ("excl", "!"), ("dollar", "$"), ("percnt", "%"), ("lpar", "("), ("rpar", ")"), ("ast", "*"),
    ("comma", ","), ("period", "."), ("colon", ":"), ("semi", ";"), ("quest", "?"),
    ("commat", "@"), ("lsqb", "["), ("rsqb", "]"), ("lbrack", "["), ("rbrack", "]"),
    ("Hat", "^"), ("lowbar", "_"), ("lcub", "{"), ("rcub", "}"), ("verbar", "|"), ("vert", "|"),
    ("hyphen", "-"), ("tilde", "~"),
    ("auml", "ä"), ("ouml", "ö"), ("uuml", "ü"), ("Auml", "Ä"), ("Ouml", "Ö"), ("Uuml", "Ü"),
    ("szlig", "ß"), ("eacute", "é"), ("egrave", "è"), ("agrave", "à"), ("ccedil", "ç"),
    ("ntilde", "ñ"), ("aring", "å"), ("oslash", "ø"), ("aelig", "æ"), ("euro", "€"),
    ("pound", "£"), ("sect", "§"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// Returns the text of an entity and the index after it, or nil if there is no entity at the
  /// index. The semicolon may be missing after a number.
  static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) -> (text: [UInt8], end: Int)? {
    let name = start + 1
    guard name < bytes.count else { return nil }
    if bytes[name] == UInt8(ascii: "#") { return numbered(bytes, name + 1) }
    var end = name
    while end < bytes.count, end - name < 8, bytes[end].isAlphanumeric { end += 1 }
    guard end > name, end < bytes.count, bytes[end] == UInt8(ascii: ";") else { return nil }
    guard let found = names.first(where: { $0.name.elementsEqual(bytes[name..<end]) }) else {
      return nil
    }
    return (found.text, end + 1)
  }

  private static func numbered(
    _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int
  ) -> (text: [UInt8], end: Int)? {
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
    return (Array(UTF8.encode(scalar)!), end)
  }
}
