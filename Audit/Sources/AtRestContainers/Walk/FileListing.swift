/// The files of a ``FileTree``.
package struct FileListing: Sendable {
  package var files: [TreeFile] = []
  package var problems: [WalkProblem] = []

  package init(files: [TreeFile] = [], problems: [WalkProblem] = []) {
    self.files = files
    self.problems = problems
  }
}
