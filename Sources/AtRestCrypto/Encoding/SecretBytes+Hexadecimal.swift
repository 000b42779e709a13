extension SecretBytes {
  /// Decodes hexadecimal digits in ASCII, upper or lower case. Returns nil if there is another
  /// character, or an odd number of them. No digit is copied into ordinary memory.
  package static func decoded(hexadecimal digits: borrowing SecretBytes) -> SecretBytes? {
    var isValid = digits.count % 2 == 0
    let decoded = SecretBytes(count: digits.count / 2) { bytes in
      digits.withUnsafeBytes { digits in
        for index in bytes.indices {
          guard let high = value(ofHexadecimal: digits[2 * index]),
            let low = value(ofHexadecimal: digits[2 * index + 1])
          else {
            isValid = false
            return
          }
          bytes[index] = high << 4 | low
        }
      }
    }
    if isValid { return decoded }
    return nil
  }

  /// The bytes as hexadecimal digits in ASCII, in lower case.
  package borrowing func hexadecimal() -> SecretBytes {
    SecretBytes(count: 2 * count) { digits in
      withUnsafeBytes { bytes in
        for index in bytes.indices {
          digits[2 * index] = Self.digit(bytes[index] >> 4)
          digits[2 * index + 1] = Self.digit(bytes[index] & 15)
        }
      }
    }
  }

  static func value(ofHexadecimal digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x61 + value - 10
  }
}
