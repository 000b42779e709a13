import Synchronization

/// Limits the requests of each source address, and of the networks that it is in. The counts are in memory, so each
/// server has its own.
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
    /// The requests that are allowed.
    var level: Double
    var time: ContinuousClock.Instant
  }

  private let rate: Rate
  private let buckets = Mutex<[RequestSource.Network: Bucket]>([:])
  private let maximumNetworks: Int

  /// - Parameter maximumNetworks: The networks whose requests are counted. Those that sent the fewest are forgotten
  ///   first.
  package init(_ rate: Rate, maximumNetworks: Int = 100_000) {
    self.rate = rate
    self.maximumNetworks = maximumNetworks
  }

  /// Takes one request out of the buckets of a source's networks. Returns false if one of them is empty.
  package func allows(_ source: RequestSource, at now: ContinuousClock.Instant = .now) -> Bool {
    buckets.withLock { buckets in
      if buckets.count >= maximumNetworks { removeFullest(&buckets, now) }
      for network in source.networks {
        let bucket = buckets[network] ?? Bucket(level: capacity(network), time: now)
        buckets[network] = Bucket(level: level(bucket, network, now), time: now)
      }
      guard source.networks.allSatisfy({ buckets[$0].map { $0.level >= 1 } ?? false }) else {
        return false
      }
      for network in source.networks { buckets[network]?.level -= 1 }
      return true
    }
  }

  private func capacity(_ network: RequestSource.Network) -> Double {
    rate.burst * Double(network.share)
  }

  private func level(
    _ bucket: Bucket, _ network: RequestSource.Network, _ now: ContinuousClock.Instant
  ) -> Double {
    let gain = (now - bucket.time) / .seconds(1) * rate.perSecond * Double(network.share)
    return min(capacity(network), bucket.level + gain)
  }

  /// Forgets networks whose buckets are full again, and at least a twentieth of all: those with the fullest ones.
  private func removeFullest(
    _ buckets: inout [RequestSource.Network: Bucket], _ now: ContinuousClock.Instant
  ) {
    func part(_ entry: (key: RequestSource.Network, value: Bucket)) -> Double {
      level(entry.value, entry.key, now) / capacity(entry.key)
    }
    buckets = buckets.filter { part($0) < 1 }
    let kept = maximumNetworks - maximumNetworks / 20
    guard buckets.count > kept else { return }
    let rising = buckets.sorted { part($0) < part($1) }
    buckets = Dictionary(uniqueKeysWithValues: rising.prefix(kept).map { ($0.key, $0.value) })
  }
}
