@_spi(Tools) import AtRestSecrets

/// Looks for windows of needles in the runs of a text that may be encoded bytes.
struct RunScreen {
  let filter: Screen.Filter
  /// The runs that decode to text, which may be encoded once more.
  private(set) var textRuns: [(kind: ByteRun, range: Range<Int>)] = []
  var isText: Bool { !textRuns.isEmpty }

  private var listed: UInt64 = 0
  private var listedCount = 0

  init(filter: Screen.Filter) { self.filter = filter }

  /// Takes a word or number at the position where it begins. Returns true if a window ends there.
  @inline(__always)
  mutating func mayHold(
    word index: Int, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard filter.isActive else { return false }
    guard text[index].isDigit, let (byte, _) = ByteRun.listed(text, at: index) else {
      listedCount = 0
      return false
    }
    listed = listed << 8 | UInt64(byte)
    listedCount += 1
    guard listedCount >= filter.window else { return false }
    if listedCount >= 8, ScreenWindow.isText(listed), textRuns.last?.kind != .list {
      textRuns.append((.list, 0..<text.count))
    }
    return filter.contains(listed)
  }

  /// Returns true if one of the byte strings to which a run decodes may contain a window.
  mutating func mayHold(
    _ kind: ByteRun, _ text: UnsafeBufferPointer<UInt8>, _ run: Range<Int>
  ) -> Bool {
    guard filter.isActive else { return false }
    let found =
      switch kind {
      case .base64:
        look(text, run, ByteRun.base64.values, bits: 6, ends: 3, apart: 2) { _ in true }
      case .base32:
        look(text, run, ByteRun.base32.values, bits: 5, ends: 5, apart: 1) { _ in false }
      case .hex:
        look(text, run, ByteRun.hex.values, bits: 4, ends: 1, apart: 0) { ByteRun.isBetweenHex($0) }
      case .list: Found()
      }
    if found.isText { textRuns.append((kind, run)) }
    return found.isHeld
  }

  private struct Found {
    var isHeld = false
    var isText = false
  }

  /// Looks at the window that ends in a digit, for some digits of a run.
  ///
  /// Of two digits in a row, bytes end in at least one. So it is enough to look at two digits, and to
  /// skip as many as a needle is longer than the window.
  ///
  /// - Parameters:
  ///   - bits: The number of bits of a digit.
  ///   - ends: The number of places in a digit at which a byte may end.
  ///   - apart: The number of bits between these places.
  ///   - passes: Returns true for bytes that may be between digits.
  @inline(__always)
  private func look(
    _ text: UnsafeBufferPointer<UInt8>, _ run: Range<Int>, _ values: [UInt8], bits: UInt64,
    ends: Int, apart: UInt64, passes: (UInt8) -> Bool
  ) -> Found {
    let period = max(1, 8 * (filter.stride - 1) / Int(bits))
    let least = UInt64(8 * filter.window)
    return values.withUnsafeBufferPointer { values in
      var found = Found()
      // The last digits, and the bits that no longer fit.
      var low: UInt64 = 0
      var high: UInt64 = 0
      var count = 0
      var next = 0
      for index in run {
        let value = values[Int(text[index])]
        guard value != 0xFF else {
          // The zero of `0x` is not a digit.
          if text[index] | 0x20 == UInt8(ascii: "x"), index > run.lowerBound,
            text[index - 1] == UInt8(ascii: "0")
          {
            low = low >> bits | high << (64 - bits)
            high >>= bits
            count -= 1
          } else if !passes(text[index]) {
            (low, high, count, next) = (0, 0, 0, 0)
          }
          continue
        }
        high = high << bits | low >> (64 - bits)
        low = low << bits | UInt64(value)
        count += 1
        if count >= next + 2 { next += period }
        let isLookedAt = count >= next
        guard isLookedAt || count & 3 < 2, UInt64(count) * bits >= least else { continue }
        for end in 0..<ends {
          let skipped = UInt64(end) * apart
          guard UInt64(count) * bits >= least + skipped else { break }
          let word = skipped == 0 ? low : low >> skipped | high << (64 - skipped)
          if isLookedAt, filter.contains(word) {
            found.isHeld = true
            return found
          }
          if ScreenWindow.isText(word) { found.isText = true }
        }
      }
      return found
    }
  }
}
