/// The source of a file and the destination of its result.
struct FileJob: Sendable {
  let source: FilePlace
  let destination: FilePlace
}
