import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization

/// A clock that tests can advance.
final class SharedClock: Sendable {
  private struct State {
    var offset: TimeInterval = 0
    /// The time of the device's last start.
    var start = Date()
    /// A random identifier of the current start.
    var boot = RandomBytes.data(count: 16)

    var date: Date { Date().addingTimeInterval(offset) }
  }
  private let state = Mutex(State())

  var date: @Sendable () -> Date { { self.state.withLock { $0.date } } }

  /// The clock that measures time since the start of the device.
  var boot: BootClock {
    BootClock {
      self.state.withLock { state in
        BootClock.Reading(
          boot: state.boot, seconds: UInt64(max(0, state.date.timeIntervalSince(state.start))),
          date: UInt64(max(0, state.date.timeIntervalSince1970)))
      }
    }
  }

  func advance(_ seconds: TimeInterval) { state.withLock { $0.offset += seconds } }

  func restart() {
    state.withLock { state in
      state.start = state.date
      state.boot = RandomBytes.data(count: 16)
    }
  }
}
