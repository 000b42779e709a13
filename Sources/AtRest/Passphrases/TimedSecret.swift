import AtRestCrypto
import Foundation
import Synchronization

/// Keeps a secret in locked memory for a limited time.
///
/// When the secret is requested, the clock decides whether it is still kept. If it is never
/// requested, a timer erases it. A caller that holds the box keeps the secret alive, so release the
/// box at the end of the call.
///
/// Safe to use from several threads.
package final class TimedSecret: Sendable {
  private struct State {
    var secret: SecretBox?
    var from = Date.distantPast
    var until = Date.distantPast
    /// Distinguishes the timer of this secret from earlier ones.
    var turn: UInt64 = 0
  }

  private let state = Mutex(State())
  private let now: @Sendable () -> Date

  /// Creates a holder without a secret.
  package init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

  /// Keeps a secret in place of the former one. If the time is zero or negative, no secret is kept.
  package func keep(_ secret: SecretBox, for time: Duration) {
    // For a process, a year is as good as forever.
    let seconds = min(time / .seconds(1), 31_536_000)
    guard seconds > 0 else { return erase() }
    let from = now()
    let turn = state.withLock { state in
      state = State(
        secret: secret, from: from, until: from + seconds, turn: state.turn &+ 1)
      return state.turn
    }
    // Wall-clock time, so it advances during sleep.
    DispatchQueue.global(qos: .utility).asyncAfter(wallDeadline: .now() + seconds) { [weak self] in
      self?.state.withLock { state in
        if state.turn == turn { state.secret = nil }
      }
    }
  }

  /// Returns the secret, or nil if its time has passed or the clock was set back to before the
  /// secret was kept.
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
