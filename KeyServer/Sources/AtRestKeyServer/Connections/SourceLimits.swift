import Synchronization

/// Limits the requests of each source address. The counts are in memory, so each server has its own.
package final class SourceLimits: Sendable {
  /// A rate, as a bucket that fills with time.
  package struct Rate: Sendable {
    package var perSecond: Double
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
      self.perSecond = perSecond
      self.burst = burst
    }
  }

  private struct Bucket {
    var level: Double
    var time: ContinuousClock.Instant
  }

  private let rate: Rate
  private let buckets = Mutex<[String: Bucket]>([:])
  private let maximumSources = 100_000

  package init(_ rate: Rate) { self.rate = rate }

  /// Takes one request out of a source's bucket. Returns false if the bucket is empty.
  package func allows(_ source: String, at now: ContinuousClock.Instant = .now) -> Bool {
    buckets.withLock { buckets in
      if buckets.count >= maximumSources { removeFull(&buckets, now) }
      var bucket = buckets[source] ?? Bucket(level: rate.burst, time: now)
      bucket.level = level(bucket, now)
      bucket.time = now
      defer { buckets[source] = bucket }
      guard bucket.level >= 1 else { return false }
      bucket.level -= 1
      return true
    }
  }

  private func level(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Double {
    min(rate.burst, bucket.level + (now - bucket.time) / .seconds(1) * rate.perSecond)
  }

  /// Forgets sources whose buckets are full again, or all if there are none.
  private func removeFull(_ buckets: inout [String: Bucket], _ now: ContinuousClock.Instant) {
    buckets = buckets.filter { level($0.value, now) < rate.burst }
    if buckets.count >= maximumSources { buckets = [:] }
  }
}
