/// What a ``FileTree`` holds.
public struct FileListing: Sendable {
  public var files: [TreeFile] = []
  public var problems: [WalkProblem] = []

  public init(files: [TreeFile] = [], problems: [WalkProblem] = []) {
    self.files = files
    self.problems = problems
  }
}
