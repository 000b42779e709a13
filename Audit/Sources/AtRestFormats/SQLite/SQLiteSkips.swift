/// The parts that could not be read in one pass: each reason once, and at most a hundred.
struct SQLiteSkips {
  private static let limit = 100
  private let path: String
  private var reasons: Set<String> = []
  private var omitted = 0
  private var skipped: [Skip] = []

  init(path: String) { self.path = path }

  mutating func add(_ reason: String) {
    guard skipped.count < Self.limit else {
      omitted += 1
      return
    }
    if reasons.insert(reason).inserted { skipped.append(Skip(path: path, reason: reason)) }
  }

  var all: [Skip] {
    omitted == 0
      ? skipped
      : skipped + [Skip(path: path, reason: "The database has \(omitted) further faults.")]
  }
}
