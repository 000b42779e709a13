import AtRestFormats
import Foundation

/// Reads the DER in which keychains store property lists. A dictionary is a set of sequences of a
/// key and a value.
///
/// The format is known from the published source of Apple's Security framework. Lengths are checked
/// against their surroundings, and values nested deeper than 16 levels are refused.
struct KeychainDER {
  private static let depthLimit = 16
  private let bytes: [UInt8]
  private var offset = 0

  /// The value that fills the bytes, or nil if they are not such DER.
  static func value(of bytes: [UInt8]) -> PropertyList.Node? {
    var reader = KeychainDER(bytes: bytes)
    guard let value = reader.value(end: bytes.count, depth: 0), reader.offset == bytes.count else {
      return nil
    }
    return value
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func value(end: Int, depth: Int) -> PropertyList.Node? {
    guard depth < Self.depthLimit, let (tag, body) = header(end: end) else { return nil }
    switch tag {
    case 0x31: return dictionary(end: body.upperBound, depth: depth)
    case 0x30:
      var nodes: [PropertyList.Node] = []
      while offset < body.upperBound {
        guard let node = value(end: body.upperBound, depth: depth + 1) else { return nil }
        nodes.append(node)
      }
      return PropertyList.Node(.array(nodes))
    default:
      offset = body.upperBound
      return Self.leaf(tag, bytes[body]).map { PropertyList.Node($0) }
    }
  }

  private mutating func dictionary(end: Int, depth: Int) -> PropertyList.Node? {
    var entries: [PropertyList.Entry] = []
    while offset < end {
      guard let (tag, pair) = header(end: end), tag == 0x30,
        let key = value(end: pair.upperBound, depth: depth + 1)?.string,
        let node = value(end: pair.upperBound, depth: depth + 1), offset == pair.upperBound
      else { return nil }
      entries.append(PropertyList.Entry(key, node))
    }
    return PropertyList.Node(.dictionary(entries))
  }

  /// Reads a tag and the range of its contents, and moves the offset to the start of the contents.
  private mutating func header(end: Int) -> (tag: UInt8, body: Range<Int>)? {
    guard end - offset >= 2 else { return nil }
    let tag = bytes[offset]
    var length = Int(bytes[offset + 1])
    offset += 2
    if length >= 0x80 {
      let size = length & 0x7F
      guard (1...4).contains(size), end - offset >= size else { return nil }
      length = bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
      offset += size
    }
    guard length <= end - offset else { return nil }
    return (tag, offset..<offset + length)
  }

  private static func leaf(_ tag: UInt8, _ body: ArraySlice<UInt8>) -> PropertyList.Value? {
    switch tag {
    case 0x01: return body.first.map { .boolean($0 != 0) }
    case 0x02:
      guard (1...8).contains(body.count), let first = body.first else { return nil }
      let start: Int64 = first >= 0x80 ? -1 : 0
      return .integer(body.reduce(start) { $0 << 8 | Int64($1) })
    case 0x04: return .data(Data(body))
    case 0x05: return .null
    case 0x0C: return .string(String(decoding: body, as: UTF8.self))
    case 0x17, 0x18: return date(String(decoding: body, as: UTF8.self), years: tag == 0x17 ? 2 : 4)
    default: return nil
    }
  }

  /// Reads `240131120000Z`, or a date with a four-digit year and fractions of a second:
  /// `20240131120000.25Z`.
  private static func date(_ text: String, years: Int) -> PropertyList.Value? {
    guard text.utf8.last == UInt8(ascii: "Z"), text.utf8.count >= years + 11 else { return nil }
    let digits = text.utf8.prefix(years + 10)
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    var rest = Substring(digits)
    func take(_ count: Int) -> Int {
      defer { rest = rest.dropFirst(count) }
      return Int(rest.prefix(count)) ?? 0
    }
    var year = take(years)
    if years == 2 { year += year < 50 ? 2000 : 1900 }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = calendar.date(
      from: DateComponents(
        year: year, month: take(2), day: take(2), hour: take(2), minute: take(2), second: take(2)))
    let fraction = Double("0" + text.dropFirst(years + 10).dropLast()) ?? 0
    return date.map { .date($0.addingTimeInterval(fraction)) }
  }
}
