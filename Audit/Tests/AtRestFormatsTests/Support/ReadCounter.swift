import Synchronization

/// Counts the bytes that a reader asks for.
final class ReadCounter: Sendable {
  private let total = Mutex(0)

  var count: Int { total.withLock { $0 } }

  func add(_ count: Int) { total.withLock { $0 += count } }
}
