extension CanaryMatcher {
  /// The minimum number of bytes that are decoded. Fewer cannot contain an encoded canary.
  private static let shortestEncoding = 6

  /// Finds all occurrences of canaries, including those in encoded or compressed parts that are
  /// nested up to a given depth.
  ///
  /// A match inside an encoded part has the range of the part. A match that is also found without
  /// decoding is reported only once, as not decoded.
  ///
  /// - Parameters:
  ///   - depth: The maximum number of nested encodings.
  ///   - limit: The maximum number of bytes to unpack in total.
  ///   - onlyEncoded: True if no canary occurs in the bytes without decoding.
  /// - Returns: The matches. `isComplete` is false if parts were not searched because of the limit.
  package func matches(
    in bytes: UnsafeRawBufferPointer, decoding depth: Int, limit: Int = 64 << 20,
    onlyEncoded: Bool = false
  ) -> (matches: [CanaryMatch], isComplete: Bool) {
    var budget = limit
    return matches(
      in: bytes, found: onlyEncoded ? [] : matches(in: bytes), decoding: depth, budget: &budget)
  }

  package func matches(
    in bytes: [UInt8], decoding depth: Int, limit: Int = 64 << 20
  ) -> (matches: [CanaryMatch], isComplete: Bool) {
    bytes.withUnsafeBytes { matches(in: $0, decoding: depth, limit: limit) }
  }

  /// Finds all occurrences of canaries that are not encoded, or that are only interrupted by the
  /// layout of the text.
  func matchesWithLayouts(in bytes: UnsafeRawBufferPointer) -> [CanaryMatch] {
    var found = matches(in: bytes)
    let runs = bytes.withMemoryRebound(to: UInt8.self) { EncodedRun.layouts(in: $0) }
    for run in runs {
      for match in matches(in: run.bytes) {
        let isKnown = found.contains {
          $0.canary == match.canary && $0.range.overlaps(run.range)
        }
        if isKnown { continue }
        found.append(
          CanaryMatch(
            canary: match.canary, range: run.range, encodings: [run.encoding] + match.encodings))
      }
    }
    return found
  }

  private func matches(
    in bytes: UnsafeRawBufferPointer, found plain: [CanaryMatch], decoding depth: Int,
    budget: inout Int
  ) -> (matches: [CanaryMatch], isComplete: Bool) {
    var found = plain
    guard depth > 0, bytes.count >= Self.shortestEncoding else { return (found, true) }
    var (runs, isComplete) = EncodedRun.candidates(in: bytes, limit: budget)
    if runs.isEmpty { return (found, isComplete) }
    let known = Dictionary(grouping: found, by: \.canary).mapValues { $0.map(\.range) }
    for run in runs {
      budget = max(0, budget - run.bytes.count)
      let inner = run.bytes.withUnsafeBytes {
        matches(in: $0, found: matches(in: $0), decoding: depth - 1, budget: &budget)
      }
      isComplete = isComplete && inner.isComplete
      var seen = Set<CanaryMatch>()
      for match in inner.matches where !Self.overlaps(run.range, known[match.canary] ?? []) {
        let outer = CanaryMatch(
          canary: match.canary, range: run.range, encodings: [run.encoding] + match.encodings)
        if seen.insert(outer).inserted { found.append(outer) }
      }
    }
    return (found, isComplete)
  }

  /// Returns true if a range overlaps one of `others`, which must be in order and must not overlap
  /// each other.
  private static func overlaps(_ range: Range<Int>, _ others: [Range<Int>]) -> Bool {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if others[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    return low < others.count && others[low].lowerBound < range.upperBound
  }
}
