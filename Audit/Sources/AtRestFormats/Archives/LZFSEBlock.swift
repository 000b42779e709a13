/// A compressed block of LZFSE: literals and matches, each coded with finite state entropy.
///
/// The format is that of Apple's reference implementation (github.com/lzfse/lzfse, BSD licence),
/// from which the constants are taken.
struct LZFSEBlock {
  /// The size of the header of the first version, in which the frequencies are not compressed.
  static let firstHeaderSize = 772
  /// The size of the fixed part of the header of the second version.
  static let fixedHeaderSize = 32
  /// The maximum size of a header of the second version, whose frequencies take up to 14 bits.
  static let headerLimit = fixedHeaderSize + 2 * symbolCounts.reduce(0, +)
  /// The maximum distance of a match.
  static let historySize = 1 << 18

  /// The number of literal lengths, match lengths, distances and literals.
  private static let symbolCounts = [20, 20, 64, 256]
  private static let stateCounts = [64, 64, 256, 1024]
  private static let matchLimit = 10_000
  private static let literalLimit = 40_000

  private static let lengths = values(
    [UInt8](repeating: 0, count: 16) + [2, 3, 5, 8])
  private static let matchLengths = values(
    [UInt8](repeating: 0, count: 16) + [3, 5, 8, 11])
  private static let distances = values((0..<64).map { UInt8($0 / 4) })

  /// The size of the header in bytes.
  let headerSize: Int
  /// The size of the unpacked block in bytes.
  let size: Int
  /// The size in bytes of the literals and of the matches after the header.
  let payloadSizes: (literals: Int, matches: Int)
  private let literalCount: Int
  private let matchCount: Int
  /// The number of unused bits at the end of the literals and of the matches.
  private let padding: (literals: Int, matches: Int)
  private let literalStates: [Int]
  private let matchStates: [Int]

  /// Each value's base and extra bits. A value follows the last one of the value before it.
  private static func values(_ extraBits: [UInt8]) -> [(base: Int, extraBits: Int)] {
    var base = 0
    return extraBits.map { bits in
      defer { base += 1 << Int(bits) }
      return (base, Int(bits))
    }
  }

  /// Reads the fixed part of a header, or returns nil if it is damaged.
  init?(_ header: [UInt8], isFirstVersion: Bool) {
    func number(_ offset: Int, _ size: Int) -> Int {
      header.littleEndian(at: offset, size: size) ?? 0
    }
    size = number(4, 4)
    if isFirstVersion {
      guard header.count >= Self.firstHeaderSize else { return nil }
      headerSize = Self.firstHeaderSize
      literalCount = number(12, 4)
      matchCount = number(16, 4)
      payloadSizes = (number(20, 4), number(24, 4))
      let unused = [28, 40].map { -Int(Int32(truncatingIfNeeded: number($0, 4))) }
      padding = (unused[0], unused[1])
      literalStates = (0..<4).map { number(32 + 2 * $0, 2) }
      matchStates = (0..<3).map { number(44 + 2 * $0, 2) }
    } else {
      guard header.count >= Self.fixedHeaderSize, let first = header.littleEndian64(at: 8),
        let second = header.littleEndian64(at: 16), let third = header.littleEndian64(at: 24)
      else { return nil }
      func field(_ word: UInt64, _ offset: UInt64, _ bits: UInt64) -> Int {
        Int(word >> offset & (1 << bits - 1))
      }
      literalCount = field(first, 0, 20)
      matchCount = field(first, 40, 20)
      payloadSizes = (field(first, 20, 20), field(second, 40, 20))
      padding = (7 - field(first, 60, 3), 7 - field(second, 60, 3))
      literalStates = (0..<4).map { field(second, 10 * $0, 10) }
      headerSize = field(third, 0, 32)
      matchStates = (0..<3).map { field(third, 32 + 10 * $0, 10) }
    }
    guard literalCount <= Self.literalLimit, literalCount.isMultiple(of: 4),
      matchCount <= Self.matchLimit,
      isFirstVersion || (Self.fixedHeaderSize...Self.headerLimit).contains(headerSize),
      payloadSizes.literals < 1 << 20, payloadSizes.matches < 1 << 20
    else { return nil }
  }

  /// Unpacks the block.
  ///
  /// - Parameters:
  ///   - bytes: The header and its payload.
  ///   - output: The bytes before the block, to which its bytes are added.
  /// - Returns: False if the block is damaged.
  func unpack(_ bytes: [UInt8], onto output: inout [UInt8]) -> Bool {
    guard let tables = tables(bytes), let literals = literals(bytes, tables[3]) else {
      return false
    }
    let end = output.count + size
    let start = headerSize + payloadSizes.literals
    guard
      var bits = BackwardBits(
        bytes, start..<start + payloadSizes.matches, padding: padding.matches)
    else { return false }
    var states = (matchStates[0], matchStates[1], matchStates[2])
    var (used, distance) = (0, 0)
    for _ in 0..<matchCount {
      guard bits.refill() else { return false }
      let literal = tables[0].decode(&states.0, &bits)
      let length = tables[1].decode(&states.1, &bits)
      let next = tables[2].decode(&states.2, &bits)
      if next != 0 { distance = next }
      guard literal <= literals.count - used, output.count + literal + length <= end else {
        return false
      }
      output += literals[used..<used + literal]
      used += literal
      guard output.repeatBytes(length, from: distance) else { return false }
    }
    return output.count == end
  }

  private func literals(_ bytes: [UInt8], _ table: FiniteStateTable) -> [UInt8]? {
    // The bits may begin within the header, if there are few.
    guard
      var bits = BackwardBits(
        bytes, 0..<headerSize + payloadSizes.literals, padding: padding.literals)
    else { return nil }
    var states = literalStates
    var literals: [UInt8] = []
    literals.reserveCapacity(literalCount)
    while literals.count < literalCount {
      guard bits.refill() else { return nil }
      for index in 0..<4 {
        literals.append(UInt8(truncatingIfNeeded: table.decode(&states[index], &bits)))
      }
    }
    return literals
  }

  // MARK: Tables

  private func tables(_ bytes: [UInt8]) -> [FiniteStateTable]? {
    guard
      let frequencies = headerSize == Self.firstHeaderSize && bytes.has("bvx1", at: 0)
        ? stored(bytes) : compressed(bytes)
    else { return nil }
    var tables: [FiniteStateTable] = []
    var first = 0
    for (index, count) in Self.symbolCounts.enumerated() {
      let values = [Self.lengths, Self.matchLengths, Self.distances]
      guard
        let table = FiniteStateTable(
          frequencies[first..<first + count], states: Self.stateCounts[index],
          values: index < 3 ? values[index] : nil)
      else { return nil }
      tables.append(table)
      first += count
    }
    return tables
  }

  private func stored(_ bytes: [UInt8]) -> [Int]? {
    (0..<Self.symbolCounts.reduce(0, +)).map {
      bytes.littleEndian(at: 50 + 2 * $0, size: 2) ?? 0
    }
  }

  /// Reads the frequencies of the second version, in a code of 2 to 14 bits.
  private func compressed(_ bytes: [UInt8]) -> [Int]? {
    let count = Self.symbolCounts.reduce(0, +)
    // The frequencies are left out if the block has no symbols.
    guard headerSize > Self.fixedHeaderSize else { return [Int](repeating: 0, count: count) }
    var frequencies: [Int] = []
    var (pending, bits, place) = (0, 0, Self.fixedHeaderSize)
    for _ in 0..<count {
      while bits <= 24, place < headerSize {
        pending |= Int(bytes[place]) << bits
        bits += 8
        place += 1
      }
      let (length, frequency) = Self.frequency(pending)
      guard length <= bits else { return nil }
      frequencies.append(frequency)
      pending >>= length
      bits -= length
    }
    return bits < 8 && place == headerSize ? frequencies : nil
  }

  /// Reads a code from the lowest bits.
  private static func frequency(_ bits: Int) -> (length: Int, frequency: Int) {
    switch bits & 7 {
    case 0, 4: (2, 0)
    case 2, 6: (2, 1)
    case 1: (3, 2)
    case 5: (3, 3)
    case 3: (5, 4 + bits >> 3 & 3)
    default: bits & 8 == 0 ? (8, 8 + bits >> 4 & 15) : (14, 24 + bits >> 4 & 1023)
    }
  }
}

extension [UInt8] {
  /// Appends bytes that are repeated from a distance before the end. They may overlap.
  ///
  /// - Returns: False if the distance is not within the bytes.
  mutating func repeatBytes(_ length: Int, from distance: Int) -> Bool {
    guard length > 0 else { return true }
    guard distance > 0, distance <= count else { return false }
    let start = count - distance
    if distance >= length {
      append(contentsOf: self[start..<start + length])
    } else {
      reserveCapacity(count + length)
      for index in start..<start + length { append(self[index]) }
    }
    return true
  }
}
