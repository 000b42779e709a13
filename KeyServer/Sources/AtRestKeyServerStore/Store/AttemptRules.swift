/// How many attempts are allowed, and how long one has to wait between them.
package struct AttemptRules: Sendable {
  /// The attempts that are evaluated until one is proved, 1 to 100.
  package var limit: Int
  /// The seconds to wait after the first attempt, the second, and so on. The last value holds for
  /// all later attempts.
  package var delays: [Int64]

  /// Ten attempts, with a delay from the fifth on: 1, 5, 15, 15 and 60 minutes.
  package static let standard = AttemptRules(
    limit: 10, delays: [0, 0, 0, 0, 60, 300, 900, 900, 3600, 0])

  package init(limit: Int, delays: [Int64]) {
    precondition((1...AttemptsRecord.maximum).contains(limit), "The limit is 1 to 100 attempts.")
    self.limit = limit
    self.delays = delays
  }

  /// Returns the seconds to wait after a number of attempts.
  func delay(after count: Int) -> Int64 {
    delays.isEmpty ? 0 : delays[min(max(count, 1), delays.count) - 1]
  }
}
