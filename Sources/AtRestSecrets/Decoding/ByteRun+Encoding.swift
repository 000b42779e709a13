@_spi(Tools) extension ByteRun {
  /// The digits in the order of their values.
  var alphabet: [UInt8] {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return switch self {
    case .base64: Array((letters + letters.lowercased() + "0123456789+/").utf8)
    case .base32: Array((letters + "234567").utf8)
    case .hex, .list: Array("0123456789abcdef".utf8)
    }
  }

  /// Returns the digits of some bytes, without padding.
  public func whole(_ bytes: [UInt8]) -> [UInt8] {
    Array(digits(of: bytes + [0]).prefix(count(holding: bytes.count)))
  }

  /// Returns the digits that depend only on some bytes, if a number of other bytes precede them.
  public func digits(of bytes: [UInt8], after count: Int = 0) -> [UInt8] {
    let alphabet = alphabet
    let first = (8 * count + bits - 1) / bits
    let end = 8 * (count + bytes.count) / bits
    return (first..<max(first, end)).map { digit in
      let value = (digit * bits..<(digit + 1) * bits).reduce(0) { value, bit in
        value << 1 | Int(bytes[bit / 8 - count] >> UInt8(7 - bit % 8) & 1)
      }
      return alphabet[value]
    }
  }
}
