import CAtRestPeer
import Foundation
import NIOCore
import Synchronization

/// Threads that carry out requests, in turn for those who make them.
///
/// A holder with many requests waits for its own, and not others for it: it never has all threads, and
/// the next request is always that of another holder if there is one.
final class Lane: Sendable {
  /// The error for work that is not carried out, because the lane has ended or too much waits in it.
  struct Ended: Error {}

  private typealias Work = @Sendable (_ isCancelled: Bool) -> Void

  private struct State {
    var waiting: [Holder.Program: [Work]] = [:]
    /// Those who wait, the next one first.
    var order: [Holder.Program] = []
    var count = 0
    var running: [Holder.Program: Int] = [:]
    var isEnded = false
  }

  /// The work that waits at the same time: of one program, of all, and of each program in any case. Work of
  /// connections that have ended waits too.
  private static let mostOfOneWaiting = 512
  private static let mostWaiting = 2048
  private static let alwaysWaiting = 8

  private let mostOfOne: Int
  private let threads: Int
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - threads: The number of threads.
  ///   - mostOfOne: The number of threads that work for one program at the same time.
  ///   - yields: True to give the processors to other threads first.
  init(_ name: String, threads: Int, mostOfOne: Int? = nil, yields: Bool = false) {
    self.threads = threads
    self.mostOfOne = mostOfOne ?? threads
    for _ in 0..<threads {
      let thread = Thread { [self] in
        if yields { atrest_yield_processors() }
        work()
      }
      thread.name = name
      thread.start()
    }
  }

  /// Carries out work for a holder. It fails if too much waits already.
  func run<Result: Sendable>(
    for holder: Holder, on loop: any EventLoop, _ body: @escaping @Sendable () throws -> Result
  ) -> EventLoopFuture<Result> {
    let promise = loop.makePromise(of: Result.self)
    let work: Work = { isCancelled in
      if isCancelled { return promise.fail(Ended()) }
      promise.completeWith(Swift.Result { try body() })
    }
    let isAccepted = state.withLock { state in
      let own = state.waiting[holder.program]?.count ?? 0
      guard !state.isEnded, own < Self.mostOfOneWaiting,
        own < Self.alwaysWaiting || state.count < Self.mostWaiting
      else { return false }
      state.count += 1
      if state.waiting[holder.program] == nil { state.order.append(holder.program) }
      state.waiting[holder.program, default: []].append(work)
      return true
    }
    if isAccepted { news.signal() } else { promise.fail(Ended()) }
    return promise.futureResult
  }

  private func work() {
    while true {
      news.wait()
      // A thread that has ended some work also takes what had to wait for it.
      while let (program, work) = next() {
        work(false)
        state.withLock { state in
          let count = state.running[program, default: 1] - 1
          state.running[program] = count > 0 ? count : nil
        }
      }
      if state.withLock({ $0.isEnded }) {
        hasEnded.signal()
        return
      }
    }
  }

  private func next() -> (Holder.Program, Work)? {
    state.withLock { state in
      let index = state.order.firstIndex { state.running[$0, default: 0] < mostOfOne }
      guard let index else { return nil }
      let program = state.order.remove(at: index)
      let work = state.waiting[program]!.removeFirst()
      state.count -= 1
      if state.waiting[program]!.isEmpty {
        state.waiting[program] = nil
      } else {
        state.order.append(program)
      }
      state.running[program, default: 0] += 1
      return (program, work)
    }
  }

  /// Ends the threads, and drops what waits. Work that takes longer than a second is not waited for.
  func stop() {
    let dropped = state.withLock { state in
      defer { (state.waiting, state.order, state.isEnded) = ([:], [], true) }
      return state.waiting.values.flatMap { $0 }
    }
    for work in dropped { work(true) }
    for _ in 0..<threads { news.signal() }
    let end = DispatchTime.now() + 1
    for _ in 0..<threads { if hasEnded.wait(timeout: end) == .timedOut { return } }
  }
}
