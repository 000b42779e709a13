import Foundation

/// Durable writes of two stores, timed per call, in alternating groups of calls.
struct DurableWrites {
  /// One of the two stores.
  struct Side {
    let log: WriteAheadLog
    /// Performs one write. The argument is the number of the call.
    let write: (Int) throws -> Void
  }

  private let calls: Int
  /// The duration of each call of each side, in microseconds.
  private var times: [[Double]] = [[], []]
  /// The number of pages appended by all calls of each side.
  private var pages = [0, 0]

  /// - Parameter afterRound: Undoes the calls of a round, outside the measured time.
  init(
    rounds: Int, calls: Int, _ sides: [Side], afterRound: (Range<Int>) throws -> Void = { _ in }
  ) throws {
    self.calls = calls
    for round in 0..<rounds {
      let range = round * calls..<(round + 1) * calls
      for (index, side) in sides.enumerated() {
        for call in range {
          let mark = try side.log.mark()
          times[index].append(try microseconds { try side.write(call) })
          pages[index] += try side.log.pages(since: mark)
        }
      }
      try afterRound(range)
    }
  }

  /// Returns the duration of each round, in microseconds.
  private func rounds(_ side: Int) -> [Double] {
    stride(from: 0, to: times[side].count, by: calls).map {
      times[side][$0..<$0 + calls].reduce(0, +)
    }
  }

  /// Returns the number of calls per second: the median of the rounds.
  func rate(_ side: Int) -> Double { Double(calls) * 1_000_000 / rounds(side).median }

  /// Returns the number of calls per second over all calls, in which rare slow calls show.
  func meanRate(_ side: Int) -> Double {
    Double(times[side].count) * 1_000_000 / times[side].reduce(0, +)
  }

  /// The median over the rounds of the ratio of the first side's rate to the second side's.
  var ratio: Double { zip(rounds(1), rounds(0)).map { $0 / $1 }.median }

  /// The ratio of the rates over all calls.
  var ratioOfMeans: Double { meanRate(0) / meanRate(1) }

  /// Returns the median of single calls, in microseconds.
  func median(_ side: Int) -> Double { times[side].median }

  /// Returns the number of pages per call: the mean over all calls.
  func pagesPerCall(_ side: Int) -> Double { Double(pages[side]) / Double(times[side].count) }
}
