import Foundation

/// Returns the duration of one call of a closure, in microseconds.
func microseconds(_ work: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try work()
  return (ContinuousClock.now - start) / .microseconds(1)
}

extension [Double] {
  /// The median. The machine is shared, so means would measure its other users.
  var median: Double {
    let sorted = sorted()
    guard let middle = sorted.indices.isEmpty ? nil : sorted.count / 2 else { return .nan }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Several ways to do the same work, timed in turns, so a slow moment of the machine affects all of
/// them.
struct Rounds {
  private(set) var times: [[Double]]

  /// - Parameters:
  ///   - calls: The number of calls in each closure, by which its time is divided.
  ///   - ways: Closures that receive the number of the round.
  init(_ rounds: Int, calls: Int, _ ways: [(Int) throws -> Void]) throws {
    times = ways.map { _ in [] }
    for round in 0..<rounds {
      for (index, way) in ways.enumerated() {
        times[index].append(try microseconds { try way(round) } / Double(calls))
      }
    }
  }

  /// Returns the median of one call, in microseconds.
  func median(_ way: Int) -> Double { times[way].median }

  /// Returns the median over the rounds of the ratio of two ways in the same round.
  func ratio(_ way: Int, to other: Int) -> Double {
    zip(times[way], times[other]).map { $0 / $1 }.median
  }
}

/// A generator of the same numbers in every run (xorshift64*).
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 2_685_821_657_736_338_717
  }
}
