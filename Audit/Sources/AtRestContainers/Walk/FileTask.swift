/// A file that waits to be walked through.
struct FileTask: Sendable {
  let file: TreeFile
  let group: FileGroup
}
