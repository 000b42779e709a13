import Synchronization

/// Limits how many accounts a source may name in an hour: an address without the signature of a device, with the
/// networks that it is in, or a device that names accounts of others.
///
/// Each name costs a row in the database, whether the account exists or not.
package final class NameLimits: Sendable {
  /// The sources that are counted.
  package enum Source: Hashable, Sendable {
    case network(RequestSource.Network)
    case device(String)

    fileprivate var share: Int {
      switch self {
      case .network(let network): network.share
      case .device: 1
      }
    }
  }

  private struct Window {
    let end: ContinuousClock.Instant
    var names: Set<Int> = []
  }

  private let maximum: Int
  private let windows = Mutex<[Source: Window]>([:])
  private let maximumSources: Int

  /// - Parameter maximumSources: The sources whose names are counted. Those with the fewest names are forgotten
  ///   first.
  package init(maximum: Int, maximumSources: Int = 10_000) {
    self.maximum = maximum
    self.maximumSources = maximumSources
  }

  /// Returns true if a source has named as many accounts in its present hour as it may.
  package func isUsedUp(by source: Source, at now: ContinuousClock.Instant = .now) -> Bool {
    windows.withLock { windows in
      guard let window = windows[source], now < window.end else { return false }
      return window.names.count >= maximum * source.share
    }
  }

  /// Returns false if one of the sources of a request names too many accounts in its present hour.
  package func allows(
    _ name: String, from sources: [Source], at now: ContinuousClock.Instant = .now
  ) -> Bool {
    // The hash is keyed by a random number of this process.
    let hash = name.hashValue
    return windows.withLock { windows in
      if windows.count >= maximumSources { removeSmallest(&windows, now) }
      for source in sources where windows[source].map({ now >= $0.end }) ?? true {
        windows[source] = Window(end: now + .seconds(3600))
      }
      let isAllowed = sources.allSatisfy { source in
        guard let names = windows[source]?.names else { return false }
        return names.contains(hash) || names.count < maximum * source.share
      }
      if isAllowed { for source in sources { windows[source]?.names.insert(hash) } }
      return isAllowed
    }
  }

  /// Forgets sources whose hour is over, and at least a twentieth of all: those that named the fewest accounts.
  private func removeSmallest(_ windows: inout [Source: Window], _ now: ContinuousClock.Instant) {
    windows = windows.filter { now < $0.value.end }
    let kept = maximumSources - maximumSources / 20
    guard windows.count > kept else { return }
    let falling = windows.sorted { $0.value.names.count > $1.value.names.count }
    windows = Dictionary(uniqueKeysWithValues: falling.prefix(kept).map { ($0.key, $0.value) })
  }
}
