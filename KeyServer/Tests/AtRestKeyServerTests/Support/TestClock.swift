import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
  private let now = Mutex<Int64>(1_800_000_000_000)

  /// The time in milliseconds since 1970.
  var milliseconds: Int64 { now.withLock { $0 } }

  func advance(seconds: Int64) { now.withLock { $0 += seconds * 1000 } }
}
