import CAtRestPeer
import Foundation
import Synchronization

/// Tells when sockets have bytes, or room for bytes. SwiftNIO does so for its own sockets alone, whose descriptors it
/// drops.
final class Readiness: Sendable {
  static let shared = Readiness()

  private struct State {
    var next: UInt64 = 0
    var bodies: [UInt64: @Sendable () -> Void] = [:]
  }

  private let queue = atrest_make_readiness()
  private let state = Mutex(State())

  private init() {
    let thread = Thread { [self] in
      var numbers = [UInt64](repeating: 0, count: 64)
      while true {
        let count = atrest_next_ready(queue, &numbers, Int32(numbers.count))
        guard count >= 0 else { return }
        for number in numbers[..<Int(count)] { state.withLock { $0.bodies[number] }?() }
      }
    }
    thread.name = "readiness"
    thread.start()
  }

  /// Begins to watch a socket, which stays open until ``Watch/end()``.
  ///
  /// - Parameter body: Called on another thread after each event.
  func watch(_ file: Int32, _ body: @escaping @Sendable () -> Void) -> Watch {
    let number = state.withLock { state in
      state.next += 1
      state.bodies[state.next] = body
      return state.next
    }
    return Watch(self, file, number)
  }

  /// A socket that is watched.
  struct Watch: Sendable {
    private let readiness: Readiness
    private let file: Int32
    private let number: UInt64

    fileprivate init(_ readiness: Readiness, _ file: Int32, _ number: UInt64) {
      (self.readiness, self.file, self.number) = (readiness, file, number)
    }

    /// Waits for one event. Returns false if the system cannot tell it.
    func arm(reads: Bool, writes: Bool) -> Bool {
      atrest_await(readiness.queue, file, number, reads ? 1 : 0, writes ? 1 : 0) == 0
    }

    func end() {
      atrest_forget(readiness.queue, file)
      _ = readiness.state.withLock { $0.bodies.removeValue(forKey: number) }
    }
  }
}
