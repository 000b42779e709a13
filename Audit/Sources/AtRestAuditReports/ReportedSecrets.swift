/// Finds many known secrets in bytes in one pass. An index is a value, and safe for use from
/// several threads.
package struct ReportedSecrets: Sendable {
  /// The minimum length of secrets that are searched for. Shorter secrets can occur in a text for
  /// other reasons.
  static let shortest = 6
  /// The maximum number of lookups per position. If they do not suffice, the bytes that match so
  /// far are treated as a secret.
  private static let tries = 4

  /// The secrets, sorted by their bytes.
  private let forward: [[UInt8]]
  /// The secrets in reverse, sorted by their reversed bytes.
  private let backward: [[UInt8]]
  /// The first bytes of each secret, as a number.
  private let starts: Set<UInt64>
  /// The last bytes of each secret, as a number.
  private let ends: Set<UInt64>

  package init(_ secrets: some Sequence<[UInt8]>) {
    let long = Set(secrets.filter { $0.count >= Self.shortest })
    forward = long.sorted { $0.lexicographicallyPrecedes($1) }
    backward = long.map { $0.reversed() }.sorted { $0.lexicographicallyPrecedes($1) }
    starts = Set(long.map { Self.key($0.prefix(Self.shortest)) })
    ends = Set(long.map { Self.key($0.suffix(Self.shortest)) })
  }

  /// Returns the ranges of secrets, ordered and without overlaps.
  ///
  /// - Parameter isCut: True if the bytes are part of a longer text, so that a secret may be cut
  ///   off at either end.
  package func ranges(in bytes: [UInt8], isCut: Bool = false) -> [Range<Int>] {
    guard !forward.isEmpty, bytes.count >= Self.shortest else { return [] }
    var ranges: [Range<Int>] = []
    var key = Self.key(bytes.prefix(Self.shortest - 1))
    var next = 0
    for end in Self.shortest...bytes.count {
      key = (key << 8 | UInt64(bytes[end - 1])) & 0xFFFF_FFFF_FFFF
      let start = end - Self.shortest
      if isCut, ends.contains(key), next == 0 {
        let head = bytes[..<end].reversed()
        if Self.alike(head, backward) == end { ranges = [0..<end] }
      }
      guard start >= next, starts.contains(key) else { continue }
      let count = length(bytes[start...], isCut)
      guard count > 0 else { continue }
      ranges.append(start..<(start + count))
      next = start + count
    }
    return ranges.merged
  }

  /// Returns the length of the secret that begins here, or 0.
  private func length(_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Int {
    if isCut, Self.alike(bytes, forward) == bytes.count { return bytes.count }
    var bytes = bytes
    for _ in 0..<Self.tries {
      let place = Self.place(of: bytes, in: forward, after: true)
      guard place > 0 else { return 0 }
      let secret = forward[place - 1]
      let common = zip(secret, bytes).prefix { $0 == $1 }.count
      if common == secret.count { return common }
      // Any other secret that is complete here must be shorter.
      guard common >= Self.shortest else { return 0 }
      bytes = bytes.prefix(common)
    }
    return bytes.count
  }

  /// Returns the length of the longest prefix that the bytes share with a secret.
  private static func alike(_ bytes: some Collection<UInt8>, _ list: [[UInt8]]) -> Int {
    let place = place(of: bytes, in: list, after: false)
    return list[max(place - 1, 0)..<min(place + 1, list.count)].reduce(0) { best, secret in
      max(best, zip(secret, bytes).prefix { $0 == $1 }.count)
    }
  }

  /// Returns the first position in the list whose secret equals the bytes or sorts after them. If
  /// `after` is true, a secret that equals the bytes does not count.
  private static func place(
    of bytes: some Collection<UInt8>, in list: [[UInt8]], after: Bool
  ) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      let isBefore =
        after
        ? !bytes.lexicographicallyPrecedes(list[middle])
        : list[middle].lexicographicallyPrecedes(bytes)
      if isBefore { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func key(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [Range<Int>] {
  /// The ranges in order, with overlapping ranges merged.
  var merged: [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<Swift.max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
