/// A position in bytes whose numbers have their least significant byte first.
struct LittleCursor {
  private let slice: ArraySlice<UInt8>
  /// The index of the next byte.
  private(set) var place: Int

  init(_ slice: ArraySlice<UInt8>) {
    self.slice = slice
    place = slice.startIndex
  }

  var left: Int { slice.endIndex - place }

  /// Reads a number of 1 to 7 bytes.
  mutating func number(_ size: Int) -> Int? {
    bytes(size).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  /// Reads a number in groups of seven bits, of at most 56 bits.
  mutating func varint() -> Int? {
    var result = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = number(1) else { return nil }
      result |= (byte & 0x7F) << shift
      if byte < 0x80 { return result }
    }
    return nil
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= left else { return nil }
    defer { place += count }
    return slice[place..<place + count]
  }

  /// Reads bytes that follow their number.
  mutating func sizedBytes() -> ArraySlice<UInt8>? { varint().flatMap { bytes($0) } }
}
