/// Finds canaries in bytes that arrive in parts, including matches across two parts.
///
/// Not thread-safe. Use one instance for each stream.
package struct CanaryStream {
  private let matcher: CanaryMatcher
  /// The last bytes so far. A match may begin in them, or they may be next to a later match.
  private var kept: [UInt8] = []
  /// The offset of ``kept`` in the stream.
  private var offset = 0
  /// Matches that begin before this offset have been returned.
  private var given = 0

  package init(_ matcher: CanaryMatcher) { self.matcher = matcher }

  /// Adds bytes, and returns the matches that further bytes can no longer change. Their ranges
  /// count from the start of the stream.
  package mutating func append(_ bytes: [UInt8]) -> [CanaryMatch] {
    kept += bytes
    // A match that begins after `end` may continue in later bytes, and a better match may begin
    // there.
    let end = offset + max(0, kept.count - matcher.span)
    let matches = matches(before: end)
    let unneeded = max(0, kept.count - 2 * matcher.span)
    kept.removeFirst(unneeded)
    offset += unneeded
    return matches
  }

  /// Returns the matches in the last bytes.
  package mutating func finish() -> [CanaryMatch] { matches(before: .max) }

  private mutating func matches(before end: Int) -> [CanaryMatch] {
    guard end > given else { return [] }
    let start = given
    given = end
    return matcher.matches(in: kept).compactMap { match in
      let range = match.range.lowerBound + offset..<match.range.upperBound + offset
      guard range.lowerBound >= start, range.lowerBound < end else { return nil }
      return CanaryMatch(canary: match.canary, range: range, encodings: match.encodings)
    }
  }
}
