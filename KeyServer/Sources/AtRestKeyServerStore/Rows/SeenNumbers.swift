import Foundation
import Synchronization

/// Numbers that only rise: the attempts of accounts and the sequence numbers of devices, as a server has
/// committed them. A lower one in the database was put back.
///
/// At least the last 100,000 names are remembered, in memory that does not grow. Safe to use from several
/// threads.
final class SeenNumbers: Sendable {
  private struct State {
    var young: [Data: UInt64] = [:]
    var old: [Data: UInt64] = [:]
  }

  private let generation: Int
  private let state = Mutex(State())

  init(generation: Int = 100_000) { self.generation = generation }

  /// The last number of a name, or 0.
  func last(_ name: Data) -> UInt64 {
    state.withLock { $0.young[name] ?? $0.old[name] ?? 0 }
  }

  func note(_ number: UInt64, of name: Data) {
    state.withLock { state in
      let former = state.young[name] ?? state.old[name] ?? 0
      state.young[name] = max(former, number)
      if state.young.count >= generation { (state.young, state.old) = ([:], state.young) }
    }
  }

  func forget(_ name: Data) {
    state.withLock { state in
      state.young[name] = nil
      state.old[name] = nil
    }
  }
}
