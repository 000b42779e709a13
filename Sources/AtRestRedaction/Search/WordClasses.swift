/// The letters and digits at the beginning of 8 bytes of text, all tested at once in a register.
struct WordClasses {
  /// The number of letters and digits before the first other byte.
  let count: Int
  /// True if each of them is a hex digit, or an `x` as in `0x41`.
  let isHex: Bool
  /// True if each of them is a decimal digit.
  let isNumber: Bool

  /// Looks at a word of which the first byte of text is the lowest one.
  @inline(__always)
  init(_ word: UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high = ones << 7
    let low = word & ~high
    let folded = low | ones << 5
    /// Returns the high bits of the bytes in a range. Each byte of the argument is below 0x80.
    func places(_ bytes: UInt64, _ range: ClosedRange<UInt64>) -> UInt64 {
      let fromLower = bytes &+ ones &* (0x80 &- range.lowerBound)
      let afterUpper = bytes &+ ones &* (0x7F &- range.upperBound)
      return fromLower & ~afterUpper & high
    }
    let ascii = ~word & high
    let digits = places(low, 0x30...0x39) & ascii
    let letters = places(folded, 0x61...0x7A) & ascii
    let hex = digits | (places(folded, 0x61...0x66) | places(folded, 0x78...0x78)) & ascii
    let end = ~(digits | letters) & high
    count = end == 0 ? 8 : end.trailingZeroBitCount >> 3
    // The bits below the first other byte.
    let inside = end == 0 ? high : ((end & (0 &- end)) &- 1) & high
    isHex = ~hex & inside == 0
    isNumber = ~digits & inside == 0
  }
}
