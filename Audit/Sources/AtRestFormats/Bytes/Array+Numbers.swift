extension [UInt8] {
  /// Reads up to seven bytes, the most significant first. Returns nil beyond the end.
  func bigEndian(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 7, size <= count, offset <= count - size else { return nil }
    var result = 0
    for byte in self[offset..<offset + size] { result = result << 8 | Int(byte) }
    return result
  }

  /// Reads up to seven bytes, the least significant first. Returns nil beyond the end.
  func littleEndian(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 7, size <= count, offset <= count - size else { return nil }
    var result = 0
    for byte in self[offset..<offset + size].reversed() { result = result << 8 | Int(byte) }
    return result
  }

  /// Reads eight bytes, the least significant first. Returns nil beyond the end.
  func littleEndian64(at offset: Int) -> UInt64? {
    guard offset >= 0, count >= 8, offset <= count - 8 else { return nil }
    var result: UInt64 = 0
    for byte in self[offset..<offset + 8].reversed() { result = result << 8 | UInt64(byte) }
    return result
  }

  /// Returns true if the bytes at an offset are these.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, length <= count, offset <= count - length else { return false }
    return text.withUTF8Buffer { self[offset..<offset + length].elementsEqual($0) }
  }

  /// Reads the text up to the next zero byte. Returns nil if there is no zero byte in the range.
  func zeroEndedText(in range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= count,
      let end = self[range].firstIndex(of: 0)
    else { return nil }
    return String(decoding: self[range.lowerBound..<end], as: UTF8.self)
  }
}
