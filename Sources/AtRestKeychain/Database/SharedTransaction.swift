import AtRestCrypto
import Dispatch
import Synchronization

/// A transaction that calls of several threads share, and the result of its commit.
final class SharedTransaction: Sendable {
  /// The number of calls and the time after which the transaction is committed, even if others are coming.
  private static let limit = (calls: 64, time: Duration.milliseconds(20))
  /// The longest wait for a call that may be coming.
  static let patience = Duration.milliseconds(2)

  private let start = ContinuousClock.now
  private let result = Mutex<AtRestError?>(nil)
  private let isEnded = DispatchSemaphore(value: 0)
  private let count = Atomic(1)

  /// The number of calls so far.
  var calls: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }

  /// True if no other call may continue the transaction.
  var isFull: Bool {
    calls >= Self.limit.calls || ContinuousClock.now - start >= Self.limit.time
  }

  /// Ends the transaction with an error, or durably.
  func end(_ error: AtRestError? = nil) {
    result.withLock { $0 = error }
    isEnded.signal()
  }

  /// Waits for the end of the transaction.
  ///
  /// - Throws: The error with which the transaction ended.
  func wait() throws {
    isEnded.wait()
    isEnded.signal()
    if let error = result.withLock({ $0 }) { throw error }
  }
}

/// The calls that have begun and not yet taken the lock.
final class Arrivals: Sendable {
  private struct State {
    var count = 0
    var isAwaited = false
  }

  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)

  /// Counts a call that is about to take the lock.
  func announce() {
    let isAwaited = state.withLock { state in
      state.count += 1
      defer { state.isAwaited = false }
      return state.isAwaited
    }
    if isAwaited { news.signal() }
  }

  /// Counts a call no longer, because it has taken the lock.
  func arrive() { state.withLock { $0.count -= 1 } }

  /// Waits until a call is about to take the lock, or the patience ends. Only one thread may wait at a time.
  ///
  /// - Returns: True if a call is about to take the lock.
  func wait(for patience: Duration) -> Bool {
    let isComing = state.withLock { state in
      state.isAwaited = state.count == 0 && patience > .zero
      return state.count > 0
    }
    guard !isComing, patience > .zero else { return isComing }
    let nanoseconds = Int(patience / .nanoseconds(1))
    if news.wait(timeout: .now() + .nanoseconds(nanoseconds)) == .success { return true }
    let isLate = state.withLock { state in
      defer { state.isAwaited = false }
      return !state.isAwaited
    }
    if isLate { news.wait() }
    return isLate
  }
}
