@_spi(Tools) import AtRestKeychain
import Foundation

/// The number of entries that programs may cause without a grant, and the count of those beyond.
struct LogShares {
  /// The entries with the same evidence in a period, and of all evidence.
  static let mostOfOne = 20
  static let mostOfAll = 200
  /// The seconds of a period.
  static let period = Duration.seconds(60)
  /// The number of different evidence that is distinguished.
  private static let mostKept = 64

  private struct Share {
    var count = 0
    var leftOut = 0
    /// The last entry that was left out.
    var last: AgentLogEntry?
    let end: ContinuousClock.Instant
  }

  private var shares: [[AgentEvidence]: Share] = [:]
  private var all = 0
  private var end = ContinuousClock.now

  /// Returns true if an entry is written. Otherwise it is counted.
  mutating func admits(_ entry: AgentLogEntry, at now: ContinuousClock.Instant) -> Bool {
    if now >= end { (all, end) = (0, now + Self.period) }
    let isNew = shares[entry.evidence] == nil
    // What is too much to be distinguished is counted together.
    let key = isNew && shares.count >= Self.mostKept ? [] : entry.evidence
    var share = shares[key] ?? Share(end: now + Self.period)
    defer { shares[key] = share }
    guard share.count < Self.mostOfOne, all < Self.mostOfAll else {
      share.leftOut += 1
      share.last = entry
      return false
    }
    share.count += 1
    all += 1
    return true
  }

  /// Returns entries about what was left out in periods that have ended, and begins new ones.
  mutating func due(at now: ContinuousClock.Instant, all isAll: Bool = false) -> [AgentLogEntry] {
    let ended = shares.filter { isAll || $0.value.end <= now }
    for key in ended.keys { shares[key] = nil }
    return ended.compactMap { key, share in
      guard let last = share.last else { return nil }
      return AgentLogEntry(
        time: Date(), operation: last.operation,
        subject: "and \(share.leftOut) more that were refused, the last of them about: "
          + last.subject,
        evidence: key, process: last.process, answer: last.answer)
    }
  }
}
