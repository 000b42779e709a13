/// The results of a walk, and the parts that it skipped.
package struct WalkSummary: Sendable {
  /// The files in the order of their locators.
  public internal(set) var files: [FileReport] = []
  /// The problems with their locators, in the order of the files. Their number is limited.
  public internal(set) var problems: [WalkProblem] = []
  /// The number of problems beyond the limit.
  public internal(set) var furtherProblems = 0
  /// The number of values that were visited, without raw bytes.
  public internal(set) var values = 0
  /// The number of raw bytes that were visited, each counted once.
  public internal(set) var rawBytes = 0
  /// The size of the unpacked and decoded values, in bytes.
  public internal(set) var decodedBytes = 0

  /// Adds problems that were found after the walk.
  ///
  /// - Parameter limit: The maximum number of problems. Further ones are only counted.
  mutating func add(_ more: [WalkProblem], limit: Int) {
    guard !more.isEmpty else { return }
    let fitting = more.prefix(max(0, limit - problems.count))
    furtherProblems += more.count - fitting.count
    problems = (problems + fitting).map { (($0.locator.description, $0.reason), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Adds the results of a walk through parts of the same container.
  mutating func add(_ part: WalkSummary, limit: Int) {
    files += part.files
    values += part.values
    decodedBytes += part.decodedBytes
    furtherProblems += part.furtherProblems
    add(part.problems, limit: limit)
  }

  /// Orders the files after some were added.
  mutating func sortFiles() {
    files = files.map { ($0.locator.description, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// True if everything could be opened.
  package var isComplete: Bool { problems.isEmpty && furtherProblems == 0 }
}
