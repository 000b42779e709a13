/// Resolves the entities in XML text.
enum XMLEntities {
  /// Decodes a string. Unknown entities are left as they are written.
  static func decode(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "&"),
        let end = bytes[index..<min(index + 12, range.upperBound)].firstIndex(
          of: UInt8(ascii: ";")),
        let scalar = scalar(named: bytes[index + 1..<end])
      else {
        result.append(byte)
        index += 1
        continue
      }
      result.append(contentsOf: String(Character(scalar)).utf8)
      index = end + 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func scalar(named name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch String(decoding: name, as: UTF8.self) {
    case "lt": return "<"
    case "gt": return ">"
    case "amp": return "&"
    case "quot": return "\""
    case "apos": return "'"
    case let name where name.hasPrefix("#x") || name.hasPrefix("#X"):
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case let name where name.hasPrefix("#"):
      return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    default: return nil
    }
  }
}
