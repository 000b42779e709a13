/// The attempts of a year that were not proved. The year begins with the first of them.
struct YearlyCount {
  static let year: Int64 = 365 * 86_400_000

  /// The beginning of the year in milliseconds since 1970.
  private(set) var start: Int64 = 0
  private(set) var count: UInt32 = 0

  init(start: Int64 = 0, count: UInt32 = 0) {
    self.start = start
    self.count = count
  }

  /// Returns true if a limit is reached; 0 is no limit.
  func isUsedUp(_ limit: UInt32, now: Int64) -> Bool {
    limit > 0 && count >= limit && now - start < Self.year
  }

  /// The time at which the next year begins.
  var end: Int64 { start + Self.year }

  /// Moves a beginning that is in the future to the present: the clock was ahead when the year began.
  ///
  /// - Returns: True if it was moved.
  mutating func bound(to now: Int64) -> Bool {
    guard count > 0, start > now else { return false }
    start = now
    return true
  }

  mutating func add(_ now: Int64) {
    // A clock that went back does not begin a year.
    if count == 0 || now - start >= Self.year { (start, count) = (now, 0) }
    count += 1
  }

  mutating func remove() { count -= min(count, 1) }
}
