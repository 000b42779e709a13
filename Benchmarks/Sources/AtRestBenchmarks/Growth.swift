import Foundation

/// One call on a store that grew and on one that stayed small, in alternation.
struct Growth {
  /// The median at the larger size, in microseconds.
  let median: Double
  /// The ratio of the medians, larger to smaller.
  let ratio: Double

  /// - Parameters:
  ///   - calls: The number of calls at each size, unless the time runs out earlier.
  ///   - budget: The time after which no further call begins, once there were five.
  ///   - large: A call on the larger store. The argument is its number.
  ///   - small: A call on the smaller store. The argument is its number.
  ///   - undo: Runs after each call of either, outside the measured time.
  init(
    calls: Int = 400, within budget: Duration = .seconds(4),
    large: (Int) throws -> Void, small: (Int) throws -> Void,
    undo: (_ isLarge: Bool, _ call: Int) throws -> Void = { _, _ in }
  ) throws {
    let end = ContinuousClock.now + budget
    var times: (large: [Double], small: [Double]) = ([], [])
    for call in 0..<calls {
      if call >= 5 && ContinuousClock.now > end { break }
      times.large.append(try microseconds { try large(call) })
      try undo(true, call)
      times.small.append(try microseconds { try small(call) })
      try undo(false, call)
    }
    median = times.large.median
    ratio = median / times.small.median
  }
}
