/// What a ``FileTree`` holds.
package struct FileListing: Sendable {
  package var files: [TreeFile] = []
  package var problems: [WalkProblem] = []

  package init(files: [TreeFile] = [], problems: [WalkProblem] = []) {
    self.files = files
    self.problems = problems
  }
}
