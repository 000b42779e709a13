import Synchronization

/// Limits how many accounts a source may name: an address without the signature of a device, or a
/// device that names accounts of others.
///
/// Each name costs a row in the database, whether the account exists or not.
package final class NameLimits: Sendable {
  private struct Window {
    var end: ContinuousClock.Instant
    var names: [String: Set<Int>] = [:]
  }

  private let maximum: Int
  private let window = Mutex(Window(end: .now))
  private let maximumSources = 10_000

  package init(maximum: Int) { self.maximum = maximum }

  /// Returns true if a source has named as many accounts in the present hour as it may.
  package func isUsedUp(by source: String, at now: ContinuousClock.Instant = .now) -> Bool {
    window.withLock { now < $0.end && $0.names[source, default: []].count >= maximum }
  }

  /// Returns false if a source names too many accounts in the present hour.
  package func allows(
    _ name: String, from source: String, at now: ContinuousClock.Instant = .now
  ) -> Bool {
    window.withLock { window in
      if now >= window.end || window.names.count >= maximumSources {
        window = Window(end: now + .seconds(3600))
      }
      // The hash is keyed by a random number of this process.
      let (isNew, _) = window.names[source, default: []].insert(name.hashValue)
      guard isNew, window.names[source, default: []].count > maximum else { return true }
      window.names[source]?.remove(name.hashValue)
      return false
    }
  }
}
