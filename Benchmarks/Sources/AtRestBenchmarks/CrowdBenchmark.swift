import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// Durable adds by several threads at the same time, compared with one thread and with bare SQLite under a
/// lock, in which each call has a commit of its own.
extension AtRestBenchmarks {
  private static let crowds = [1, 2, 8, 64]
  private static let rounds = 7

  mutating func crowd(in place: URL) throws {
    let store = try Store(making: place.appendingPathComponent("keychain"))
    let bare = try BareStore(place.appendingPathComponent("bare.db").path)
    defer {
      store.keychain.close()
      bare.close()
    }
    let keychain = store.keychain
    let turn = Turn(store: bare)
    let adds: [@Sendable (Int) throws -> Void] = [
      { try keychain.add(Sample.key($0), secret: SecretBytes(Sample.secret)) },
      { number in try turn.lock.withLock { _ in try turn.store.add(Sample.hash(number)) } },
    ]
    var rates: [[[Double]]] = Self.crowds.map { _ in [[], []] }
    var commits: [Double] = []
    var next = 0
    for _ in 0..<Self.rounds {
      for (index, threads) in Self.crowds.enumerated() {
        let calls = max(10, 320 / threads)
        let first = next
        for (side, add) in adds.enumerated() {
          let time = try Self.inParallel(threads) { thread in
            for call in 0..<calls { try add(first + thread * calls + call) }
          }
          rates[index][side].append(Double(threads * calls) * 1_000_000 / time)
          if threads == 1 && side == 1 { commits.append(time / Double(calls)) }
        }
        next += threads * calls
      }
    }
    let commit = commits.median
    let goal = commit > 1_000 ? 6.0 : 2.0
    report.table(
      "Adding by several threads at once, each call durable (a commit takes \(Int(commit)) µs)",
      ["threads", "keychain, items/s", "times one thread", "bare SQLite under a lock, items/s"],
      Self.crowds.indices.map { index in
        let ratio = zip(rates[index][0], rates[0][0]).map { $0 / $1 }.median
        return [
          "\(Self.crowds[index])", Int(rates[index][0].median).grouped,
          Self.crowds[index] == 8
            ? report.judged(ratio.rounded(2), ratio >= goal, "≥ \(goal)") : ratio.rounded(2),
          Int(rates[index][1].median).grouped,
        ]
      })
  }

  private final class Turn: @unchecked Sendable {
    let store: BareStore
    let lock = Mutex(())

    init(store: BareStore) { self.store = store }
  }

  /// Runs a closure on threads that start together.
  ///
  /// - Returns: The time from the start to the last end, in microseconds.
  private static func inParallel(
    _ threads: Int, _ body: @escaping @Sendable (Int) throws -> Void
  ) throws -> Double {
    let ready = DispatchGroup()
    let done = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    let failure = Mutex<(any Error)?>(nil)
    for number in 0..<threads {
      ready.enter()
      done.enter()
      Thread.detachNewThread {
        ready.leave()
        start.wait()
        do { try body(number) } catch { failure.withLock { $0 = error } }
        done.leave()
      }
    }
    ready.wait()
    let time = microseconds {
      for _ in 0..<threads { start.signal() }
      done.wait()
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return time
  }
}
