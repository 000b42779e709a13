extension [UInt8] {
  /// Up to seven bytes, the most significant first; nothing beyond the end.
  func bigEndian(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 7, size <= count, offset <= count - size else { return nil }
    var result = 0
    for byte in self[offset..<offset + size] { result = result << 8 | Int(byte) }
    return result
  }

  /// Up to seven bytes, the least significant first; nothing beyond the end.
  func littleEndian(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 7, size <= count, offset <= count - size else { return nil }
    var result = 0
    for byte in self[offset..<offset + size].reversed() { result = result << 8 | Int(byte) }
    return result
  }

  /// Eight bytes, the least significant first; nothing beyond the end.
  func littleEndian64(at offset: Int) -> UInt64? {
    guard offset >= 0, count >= 8, offset <= count - 8 else { return nil }
    var result: UInt64 = 0
    for byte in self[offset..<offset + 8].reversed() { result = result << 8 | UInt64(byte) }
    return result
  }

  /// Whether these bytes stand there.
  func has(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard offset >= 0, length <= count, offset <= count - length else { return false }
    return text.withUTF8Buffer { self[offset..<offset + length].elementsEqual($0) }
  }

  /// The text up to the next zero, which must come before the end of the range.
  func zeroEndedText(in range: Range<Int>) -> String? {
    guard range.lowerBound >= 0, range.upperBound <= count,
      let end = self[range].firstIndex(of: 0)
    else { return nil }
    return String(decoding: self[range.lowerBound..<end], as: UTF8.self)
  }
}
