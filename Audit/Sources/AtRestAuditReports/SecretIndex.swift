/// Finds known secrets in bytes, all of them at once. A value; safe to use from several threads.
struct SecretIndex {
  /// Shorter ones stand in text for other reasons too, and are not looked for.
  static let shortest = 6
  /// Searches for a place in the list before what is alike is taken for the secret itself.
  private static let tries = 4

  /// In order of their bytes, and of their bytes from the last to the first.
  private let forward: [[UInt8]]
  private let backward: [[UInt8]]
  /// The first bytes of each, and the last ones.
  private let starts: Set<UInt64>
  private let ends: Set<UInt64>

  init(_ secrets: some Sequence<[UInt8]>) {
    let long = Set(secrets.filter { $0.count >= Self.shortest })
    forward = long.sorted { $0.lexicographicallyPrecedes($1) }
    backward = long.map { $0.reversed() }.sorted { $0.lexicographicallyPrecedes($1) }
    starts = Set(long.map { Self.key($0.prefix(Self.shortest)) })
    ends = Set(long.map { Self.key($0.suffix(Self.shortest)) })
  }

  /// Where secrets stand, in order and apart from one another.
  ///
  /// - Parameter isCut: Whether the bytes are a piece of more, so that of a secret at its ends a part may
  ///   be missing.
  func ranges(in bytes: [UInt8], isCut: Bool = false) -> [Range<Int>] {
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

  /// Bytes of the secret that begins here; 0 if none does.
  private func length(_ bytes: ArraySlice<UInt8>, _ isCut: Bool) -> Int {
    if isCut, Self.alike(bytes, forward) == bytes.count { return bytes.count }
    var bytes = bytes
    for _ in 0..<Self.tries {
      let place = Self.place(of: bytes, in: forward, after: true)
      guard place > 0 else { return 0 }
      let secret = forward[place - 1]
      let common = zip(secret, bytes).prefix { $0 == $1 }.count
      if common == secret.count { return common }
      // A secret that stands here whole can only be one that is shorter still.
      guard common >= Self.shortest else { return 0 }
      bytes = bytes.prefix(common)
    }
    return bytes.count
  }

  /// How many bytes at the start are those of a secret.
  private static func alike(_ bytes: some Collection<UInt8>, _ list: [[UInt8]]) -> Int {
    let place = place(of: bytes, in: list, after: false)
    return list[max(place - 1, 0)..<min(place + 1, list.count)].reduce(0) { best, secret in
      max(best, zip(secret, bytes).prefix { $0 == $1 }.count)
    }
  }

  /// The first place whose secret does not come before the bytes, or that comes after them.
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
  /// The same in order, those that overlap as one.
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
