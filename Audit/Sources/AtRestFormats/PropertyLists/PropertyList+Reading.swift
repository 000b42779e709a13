import Foundation

extension PropertyList {
  /// Reads a property list in any format.
  package static func read(_ data: Data, path: String) -> PropertyList {
    if data.starts(with: Array("bplist".utf8)) {
      var reader = BinaryPropertyListReader(path: path, bytes: [UInt8](data))
      return reader.read()
    }
    let bytes = TextBytes.utf8(of: data)
    var index = 0
    while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "<"), !isData(bytes, after: index) {
      var reader = XMLPropertyListReader(path: path)
      var document = XMLReader(path: path, bytes: bytes)
      return reader.read(document.read())
    }
    if path.hasSuffix(".json") || isJSON(bytes, at: index) {
      var reader = TextPropertyListReader(path: path, bytes: bytes, dialect: .json)
      return reader.read()
    }
    var reader = TextPropertyListReader(path: path, bytes: bytes, dialect: .ascii)
    return reader.read()
  }

  /// Returns true if `<` begins data in an old ASCII list, `<0fbd77>`, and not a tag.
  private static func isData(_ bytes: [UInt8], after index: Int) -> Bool {
    for byte in bytes[(index + 1)...].prefix(64) {
      switch byte {
      case UInt8(ascii: ">"): return true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"), 0x20, 0x0A:
        continue
      default: return false
      }
    }
    return true
  }

  /// Returns true if a file begins like JSON and not like an old ASCII list: `[`, or `{` and
  /// `"key":`.
  private static func isJSON(_ bytes: [UInt8], at start: Int) -> Bool {
    guard start < bytes.count else { return false }
    if bytes[start] == UInt8(ascii: "[") { return true }
    guard bytes[start] == UInt8(ascii: "{") else { return false }
    var isQuoted = false
    var wasQuoted = false
    var index = start + 1
    while index < bytes.count {
      let byte = bytes[index]
      if isQuoted {
        if byte == UInt8(ascii: "\\") { index += 1 }
        if byte == UInt8(ascii: "\"") {
          isQuoted = false
          wasQuoted = true
        }
      } else if byte == UInt8(ascii: "\"") {
        if wasQuoted { return false }
        isQuoted = true
      } else if byte == UInt8(ascii: ":") {
        return wasQuoted
      } else if ![0x20, 0x0A, 0x0D, 0x09].contains(byte) {
        return false
      }
      index += 1
    }
    return false
  }
}
