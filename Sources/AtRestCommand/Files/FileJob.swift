/// One file and the place of its result.
struct FileJob: Sendable {
  let source: FilePlace
  let destination: FilePlace
}
