/// What a walk went through, and what it left out.
package struct WalkSummary: Sendable {
  /// In the order of their locators' parts.
  public internal(set) var files: [FileReport] = []
  /// Each with its locator, in the order of the files; the number is limited.
  public internal(set) var problems: [WalkProblem] = []
  /// Problems beyond the limit, which are counted only.
  public internal(set) var furtherProblems = 0
  /// Values that were given, raw bytes not counted.
  public internal(set) var values = 0
  /// Raw bytes that were given, each once.
  public internal(set) var rawBytes = 0
  /// What came out of packed and encoded values, in bytes.
  public internal(set) var decodedBytes = 0

  /// Whether everything was opened that was there.
  package var isComplete: Bool { problems.isEmpty && furtherProblems == 0 }
}
