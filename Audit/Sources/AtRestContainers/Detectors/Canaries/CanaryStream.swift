/// Finds canaries in bytes that come in parts, also those that lie across two.
///
/// Not thread-safe; one for each stream.
package struct CanaryStream {
  private let matcher: CanaryMatcher
  /// The last bytes, in which a match may begin or which a later one is beside.
  private var kept: [UInt8] = []
  /// Where ``kept`` begins in the stream.
  private var offset = 0
  /// Matches that begin before this were given.
  private var given = 0

  package init(_ matcher: CanaryMatcher) { self.matcher = matcher }

  /// The matches that can be told by now, with ranges from the start of the stream.
  package mutating func append(_ bytes: [UInt8]) -> [CanaryMatch] {
    kept += bytes
    // What begins so near the end may go on, and a better reading may begin there.
    let end = offset + max(0, kept.count - matcher.span)
    let matches = matches(before: end)
    let unneeded = max(0, kept.count - 2 * matcher.span)
    kept.removeFirst(unneeded)
    offset += unneeded
    return matches
  }

  /// The matches in what came last.
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
