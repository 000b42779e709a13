import AtRestCrypto
import Dispatch
import Foundation
import Synchronization

/// Collects attempts that arrive at the same time, so that one transaction counts several of them.
///
/// The thread of a request counts the attempts of all that wait, its own among them. A request that
/// arrives alone waits for nobody.
final class AttemptQueue: Sendable {
  typealias Outcome = Result<KeyServerStore.CountedAttempt, AtRestError>

  /// The transactions at a time. While one waits for the disk, another one reads.
  private let maximumTransactions = 2
  /// The attempts in a transaction.
  private let maximumCount = 64

  private final class Waiter: @unchecked Sendable {
    let request: AttemptRequest
    let woken = DispatchSemaphore(value: 0)
    // Written before the semaphore is signalled. nil if this thread is to count the next attempts.
    var outcome: Result<Outcome, any Error>?

    init(_ request: AttemptRequest) { self.request = request }
  }

  private struct State {
    var waiting: [Waiter] = []
    var transactions = 0
  }

  private let state = Mutex(State())

  /// Counts an attempt, and returns when its count is durable.
  ///
  /// - Parameter body: Counts attempts of different accounts by different devices.
  func count(_ request: AttemptRequest, _ body: ([AttemptRequest]) throws -> [Outcome]) throws
    -> KeyServerStore.CountedAttempt
  {
    let waiter = Waiter(request)
    let leads = state.withLock { state in
      guard state.transactions == maximumTransactions else {
        state.transactions += 1
        return true
      }
      state.waiting.append(waiter)
      return false
    }
    if !leads {
      waiter.woken.wait()
      if let outcome = waiter.outcome { return try outcome.get().get() }
    }
    let batch = [waiter] + state.withLock { takeBatch(&$0, with: request) }
    let outcomes = Result { try body(batch.map(\.request)) }
    for (index, counted) in batch.enumerated() {
      counted.outcome = outcomes.map { $0[index] }
      if counted !== waiter { counted.woken.signal() }
    }
    handOver()
    return try outcomes.get()[0].get()
  }

  /// Lets the thread of the oldest request that waits go on.
  private func handOver() {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.transactions -= 1
        return
      }
      state.waiting.removeFirst().woken.signal()
    }
  }

  /// Takes the oldest requests that can be counted together with one, but not two of one account or
  /// one device.
  private func takeBatch(_ state: inout State, with first: AttemptRequest) -> [Waiter] {
    var taken: [Waiter] = []
    var left: [Waiter] = []
    var names = Set(first.names)
    for waiter in state.waiting {
      let own = waiter.request.names
      if taken.count < maximumCount - 1, names.isDisjoint(with: own) {
        names.formUnion(own)
        taken.append(waiter)
      } else {
        left.append(waiter)
      }
    }
    state.waiting = left
    return taken
  }
}
