import Foundation

/// The frequency of each byte in some bytes, and measures derived from it.
package struct Entropy: Sendable {
  package private(set) var count = 0
  package private(set) var histogram = [Int](repeating: 0, count: 256)

  package init() {}

  package init(_ bytes: some Collection<UInt8>) {
    for byte in bytes { histogram[Int(byte)] &+= 1 }
    count = bytes.count
  }

  /// The Shannon entropy in bits per byte, from 0 to 8.
  package var bits: Double {
    guard count > 0 else { return 0 }
    return histogram.reduce(0) { sum, times in
      let share = Double(times) / Double(count)
      return times == 0 ? sum : sum - share * log2(share)
    }
  }

  /// The chi-square statistic against a uniform distribution. For random bytes it is about 255,
  /// with a standard deviation of 23.
  package var chiSquare: Double {
    guard count > 0 else { return 0 }
    let expected = Double(count) / 256
    return histogram.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
  }

  /// The share of printable ASCII, blanks and line breaks, from 0 to 1.
  package var printableShare: Double {
    guard count > 0 else { return 0 }
    let printable =
      histogram[0x20..<0x7F].reduce(0, +) + histogram[9] + histogram[10] + histogram[13]
    return Double(printable) / Double(count)
  }

  mutating func add(_ other: Entropy) {
    count += other.count
    for byte in 0..<256 { histogram[byte] &+= other.histogram[byte] }
  }
}

extension Entropy {
  /// True if the bytes are as uniform as random bytes, within six standard deviations.
  var isRandom: Bool { count >= 1024 && (120...391).contains(chiSquare) }

  /// True if the bytes are text in UTF-8, or in UTF-16 of mostly ASCII.
  var isText: Bool {
    let controls =
      histogram[..<0x20].reduce(0, +) - histogram[9...13].reduce(0, +) - histogram[0x1B]
    let odd =
      histogram[0x7F] + histogram[0xC0...0xC1].reduce(0, +) + histogram[0xF5...].reduce(0, +)
    if controls == 0, odd == 0 {
      let followers = histogram[0x80..<0xC0].reduce(0, +)
      let due =
        histogram[0xC2..<0xE0].reduce(0, +) + 2 * histogram[0xE0..<0xF0].reduce(0, +)
        + 3 * histogram[0xF0..<0xF5].reduce(0, +)
      // A window may begin and end inside a character.
      return abs(followers - due) <= 3
    }
    let zeros = histogram[0]
    return abs(2 * zeros - count) <= count / 20 && controls == zeros && printableShare > 0.45
  }

  /// True if the bytes are Base64 or hexadecimal digits, with or without line breaks.
  var isEncoded: Bool {
    let breaks = histogram[10] + histogram[13]
    let hex =
      histogram[0x30...0x39].reduce(0, +)
      + max(
        histogram[0x41...0x46].reduce(0, +), histogram[0x61...0x66].reduce(0, +))
    let letters = histogram[0x41...0x5A].reduce(0, +) + histogram[0x61...0x7A].reduce(0, +)
    let digits = histogram[0x30...0x39].reduce(0, +)
    let signs = [0x2B, 0x2F, 0x2D, 0x5F, 0x3D].reduce(0) { $0 + histogram[$1] }
    guard count >= 64, breaks * 16 <= count, letters > 0 else { return false }
    if hex + breaks == count { return digits > 0 && bits > 2.5 }
    return letters + digits + signs + breaks == count && digits > 0
      && histogram[0x41...0x5A].contains { $0 > 0 } && histogram[0x61...0x7A].contains { $0 > 0 }
      && bits > 4.5
  }
}
