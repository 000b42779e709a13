/// A file that waits to be visited.
struct FileTask: Sendable {
  let file: TreeFile
  let group: FileGroup
}
