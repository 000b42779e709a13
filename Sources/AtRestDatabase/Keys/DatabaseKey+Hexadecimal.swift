import AtRestCrypto

extension DatabaseKey {
  /// A raw key in the form that SQLCipher's programs keep: 64, 96 or 160 hexadecimal digits.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are other characters, or another number of
  ///   digits.
  public static func raw(hexadecimal digits: borrowing SecretBytes) throws -> DatabaseKey {
    let numbers = digits.withUnsafeBytes { $0.map { UInt8(hexadecimalDigit: $0) } }
    guard [64, 96, 160].contains(numbers.count), !numbers.contains(nil) else {
      throw AtRestError.invalid(
        "The raw key is not 64, 96 or 160 hexadecimal digits.",
        remedy: "Write the digits into the file, without a prefix.")
    }
    let bytes = SecretBytes(count: numbers.count / 2) { bytes in
      for index in bytes.indices {
        bytes[index] = (numbers[2 * index] ?? 0) << 4 | (numbers[2 * index + 1] ?? 0)
      }
    }
    return try .raw(bytes)
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in ASCII.
  fileprivate init?(hexadecimalDigit digit: UInt8) {
    switch digit {
    case 0x30...0x39: self = digit - 0x30
    case 0x41...0x46: self = digit - 0x41 + 10
    case 0x61...0x66: self = digit - 0x61 + 10
    default: return nil
    }
  }
}
