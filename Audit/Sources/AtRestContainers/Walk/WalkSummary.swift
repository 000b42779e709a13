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

  /// True if everything could be opened.
  package var isComplete: Bool { problems.isEmpty && furtherProblems == 0 }
}
