/// Tests of 8 bytes in a row, in a register.
enum ScreenWindow {
  /// Returns true if all bytes are printable ASCII or line breaks. In rare cases, the result is true
  /// for other bytes too.
  @inline(__always)
  static func isText(_ word: UInt64) -> Bool {
    let high: UInt64 = 0x8080_8080_8080_8080
    let printable = word &+ 0x6060_6060_6060_6060
    if (word | ~printable) & high == 0 { return true }
    guard word & high == 0 else { return false }
    func places(of byte: UInt64) -> UInt64 {
      let difference = word ^ byte &* 0x0101_0101_0101_0101
      return (difference &- 0x0101_0101_0101_0101) & ~difference & high
    }
    return (printable | places(of: 0x0A) | places(of: 0x0D)) & high == high
  }

  /// Returns the bytes with ASCII letters in lower case.
  @inline(__always)
  static func folded(_ word: UInt64) -> UInt64 {
    let low = word & 0x7F7F_7F7F_7F7F_7F7F
    let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
    let afterZ = low &+ 0x2525_2525_2525_2525
    let capitals = fromA & ~afterZ & ~word & 0x8080_8080_8080_8080
    return word | capitals >> 2
  }
}
