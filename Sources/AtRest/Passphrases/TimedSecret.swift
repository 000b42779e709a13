import AtRestCrypto
import Foundation
import Synchronization

/// Keeps a secret in locked memory for a stated time.
///
/// The clock decides when somebody asks; a timer erases also when nobody does. Whoever was handed
/// the box holds it on: keep it no longer than the call.
///
/// Safe to use from several threads.
package final class TimedSecret: Sendable {
  private struct State {
    var secret: SecretBox?
    var from = Date.distantPast
    var until = Date.distantPast
    /// Tells the timer of this secret from those of former ones.
    var turn: UInt64 = 0
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  /// Makes one that holds nothing.
  package init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  /// Keeps a secret in place of the former one; for no time at all, where the time is not positive.
  package func keep(_ secret: SecretBox, for time: Duration) {
    // A year and no end are the same to a process.
    let seconds = min(time / .seconds(1), 31_536_000)
    guard seconds > 0 else { return erase() }
    let from = now()
    let turn = state.withLock { state in
      state = State(
        secret: secret, from: from, until: from + seconds, turn: state.turn &+ 1)
      return state.turn
    }
    // By the wall's clock, which goes on while the machine sleeps.
    DispatchQueue.global(qos: .utility).asyncAfter(wallDeadline: .now() + seconds) { [weak self] in
      self?.state.withLock { state in
        if state.turn == turn { state.secret = nil }
      }
    }
  }

  /// The secret, as long as its time lasts. A clock that was put back ends it too.
  package func get() -> SecretBox? {
    let now = now()
    return state.withLock { state in
      if now < state.from || now >= state.until { state.secret = nil }
      return state.secret
    }
  }

  /// Erases the secret now.
  package func erase() {
    state.withLock { $0.secret = nil }
  }
}
