/// Tests of 8 bytes in a row, in a register.
enum ScreenWindow {
  /// Returns true if all bytes are printable ASCII.
  @inline(__always)
  static func isText(_ word: UInt64) -> Bool {
    (word | ~(word &+ 0x6060_6060_6060_6060)) & 0x8080_8080_8080_8080 == 0
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
