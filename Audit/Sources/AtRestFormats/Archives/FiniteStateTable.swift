/// A decoding table of finite state entropy, in the variant that LZFSE uses.
struct FiniteStateTable {
  private struct Entry {
    var delta = 0
    /// The number of bits that are added to the delta for the next state.
    var stateBits = 0
    var extraBits = 0
    var base = 0
  }

  private var entries: [Entry]
  private let mask: Int

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - frequencies: The number of states of each symbol.
  ///   - states: The number of states, a power of two.
  ///   - values: The value of each symbol and the number of bits that are added to it. Without it,
  ///     a symbol's value is its number.
  /// - Returns: Nil if there are more states than allowed.
  init?(
    _ frequencies: ArraySlice<Int>, states: Int, values: [(base: Int, extraBits: Int)]? = nil
  ) {
    guard frequencies.reduce(0, +) <= states else { return nil }
    mask = states - 1
    entries = []
    entries.reserveCapacity(states)
    let zeros = states.leadingZeroBitCount
    for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
      let bits = frequency.leadingZeroBitCount - zeros
      let longer = (2 * states) >> bits - frequency
      for state in 0..<frequency {
        var entry = Entry()
        entry.base = values?[symbol].base ?? symbol
        entry.extraBits = values?[symbol].extraBits ?? 0
        if state < longer {
          entry.stateBits = bits
          entry.delta = (frequency + state) << bits - states
        } else {
          entry.stateBits = bits - 1
          entry.delta = (state - longer) << (bits - 1)
        }
        entries.append(entry)
      }
    }
    // Some tables of hostile files are incomplete.
    while entries.count < states { entries.append(Entry()) }
  }

  /// Reads the value that belongs to a state, and moves on to the next state.
  func decode(_ state: inout Int, _ bits: inout BackwardBits) -> Int {
    let entry = entries[state & mask]
    let read = bits.pull(entry.stateBits + entry.extraBits)
    state = (entry.delta + read >> entry.extraBits) & mask
    return entry.base + read & (1 << entry.extraBits - 1)
  }
}

/// Bits that are read from the end of some bytes to their start.
struct BackwardBits {
  private let bytes: [UInt8]
  private let start: Int
  private var place: Int
  private var bits: UInt64 = 0
  private var count = 0

  /// Creates a reader.
  ///
  /// - Parameter padding: The number of highest bits of the last byte that are unused, from 0 to 7.
  /// - Returns: Nil if there are too few bytes, or unused bits are set.
  init?(_ bytes: [UInt8], _ range: Range<Int>, padding: Int) {
    self.bytes = bytes
    start = range.lowerBound
    place = range.upperBound
    let first = padding > 0 ? 8 : 7
    guard (0...7).contains(padding), range.count >= first else { return nil }
    for _ in 0..<first { load() }
    count -= padding
    guard bits >> UInt64(count) == 0 else { return nil }
  }

  private mutating func load() {
    place -= 1
    bits = bits << 8 | UInt64(bytes[place])
    count += 8
  }

  /// Makes at least 56 bits available. Returns false if there are no bytes left for them.
  mutating func refill() -> Bool {
    let missing = (63 - count) / 8
    guard place - start >= missing else { return false }
    for _ in 0..<missing { load() }
    return true
  }

  /// Reads bits. If there are fewer, the missing ones are zero.
  mutating func pull(_ wanted: Int) -> Int {
    let read = min(wanted, count)
    count -= read
    let result = bits >> UInt64(count)
    bits &= 1 << UInt64(count) - 1
    return Int(result) << (wanted - read)
  }
}
