extension CanaryVariant.Form {
  /// The minimum number of bytes, and of different ones among them. Others occur by chance.
  private static let leastBytes = (count: 6, kinds: 4)

  /// The bytes that a canary writes in hexadecimal digits, such as a key or a UUID. Empty for other canaries.
  func binary() -> [CanaryVariant] {
    let digits = utf8.filter { $0 != 0x2D && $0 != 0x3A && $0 != 0x20 }
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index -> UInt8? in
      guard let high = ASCII.hex(digits[index]), let low = ASCII.hex(digits[index + 1]) else {
        return nil
      }
      return high << 4 | low
    }
    guard bytes.count * 2 == digits.count, bytes.count >= Self.leastBytes.count,
      Set(bytes).count >= Self.leastBytes.kinds
    else { return [] }
    return [variant(bytes, ["binary"])]
  }
}
