/// One file to turn into another.
struct FileJob: Sendable {
  let source: FilePlace
  let destination: FilePlace
}
