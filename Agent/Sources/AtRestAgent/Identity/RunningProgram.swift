/// The program that a process runs: the regular file at a path in the agent's own root.
///
/// A file at the same path in another root, such as that of a sandbox, is not this file, whatever it
/// contains.
struct RunningProgram: Sendable, Hashable {
  /// The state of a file. A change of the contents changes it.
  struct FileState: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let modified: Int64
    let changed: Int64
  }

  let path: String
  let file: FileState
  /// True if only root can replace the file.
  let isSystem: Bool
}
