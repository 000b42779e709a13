@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore
import Synchronization

/// Decides whether the thread of a connection may answer a request itself.
///
/// A lock of the store arrives on the same threads. They must therefore never wait for what another
/// thread holds, such as the database during a durable write: while other threads work, they answer
/// nothing themselves. The same holds for a time after an answer that was large or late.
final class QuickGate: Sendable {
  private struct State {
    var working = 0
    var quick = 0
    var lateUntil = NIODeadline.uptimeNanoseconds(0)
    var largeUntil = NIODeadline.uptimeNanoseconds(0)
  }

  /// The time and the size up to which an answer is quick.
  private static let longest = TimeAmount.milliseconds(5)
  private static let largest = 256 << 10
  /// The time after a large answer. After a late one, it is this many times what the answer took: the first read of
  /// a store is always late, and so is one during which the processor was taken away.
  private static let pauseAfterLarge = TimeAmount.seconds(60)
  private static let pausePerLate = 20

  private let state = Mutex(State())

  /// True if a recent answer was large.
  var expectsLarge: Bool { state.withLock { $0.largeUntil > .now() } }

  /// Carries out a request on this thread. Returns nil if this may wait for another thread.
  func quick(_ body: () -> FrameAnswer) -> FrameAnswer? {
    let isOpen = state.withLock { state in
      guard state.working == 0, max(state.lateUntil, state.largeUntil) <= .now() else {
        return false
      }
      state.quick += 1
      return true
    }
    guard isOpen else { return nil }
    let start = NIODeadline.now()
    let answer = body()
    let end = NIODeadline.now()
    state.withLock { state in
      state.quick -= 1
      if end - start > Self.longest { state.lateUntil = end + (end - start) * Self.pausePerLate }
      if answer.bytes.bytes.count > Self.largest {
        state.largeUntil = end + Self.pauseAfterLarge
      }
    }
    return answer
  }

  /// Carries out work on a thread that may wait.
  func work<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.working += 1 }
    defer { state.withLock { $0.working -= 1 } }
    // What is quick takes microseconds.
    while state.withLock({ $0.quick > 0 }) { usleep(20) }
    return try body()
  }
}
