import Foundation

extension UnsafeBufferPointer<UInt8> {
  /// The next index of a byte in a range, or nil if it does not occur there.
  func index(of byte: UInt8, from start: Int, to end: Int? = nil) -> Int? {
    guard let base = baseAddress.map(UnsafeRawPointer.init), start < end ?? count,
      let found = memchr(base + start, Int32(byte), (end ?? count) - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}

/// Classes of bytes in ASCII text.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

  static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

  static func isPrintable(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }

  static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

  /// The value of a hexadecimal digit, or nil for another byte.
  static func hex(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 0x30 }
    let letter = (byte | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }

  /// Returns true if all bytes are printable or blank.
  static func isPrintableText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // Without branches, as in ``isText(_:)``.
    var others: UInt8 = 0
    for byte in bytes { others |= (byte &- 0x20 < 0x5F ? 0 : 1) & (byte &- 9 < 5 ? 0 : 1) }
    return others == 0
  }

  /// Returns true if the bytes contain no control characters that are unusual in text.
  static func isText(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // The loop has no branches, so that many bytes are compared at once.
    var others: UInt8 = 0
    for byte in bytes {
      others |= (byte < 9 ? 1 : 0) | (byte &- 0x0E < 0x12 ? 1 : 0) & (byte == 0x1B ? 0 : 1)
    }
    return others == 0
  }
}
