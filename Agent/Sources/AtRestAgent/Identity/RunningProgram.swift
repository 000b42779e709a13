@_spi(Tools) import AtRestKeychain
import CAtRestPeer
import Foundation

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

  init(path: String, file: FileState, isSystem: Bool) {
    (self.path, self.file, self.isSystem) = (path, file, isSystem)
  }

  /// The error if only a file system could tell, which may not be waited for.
  struct WouldWait: Error {}

  /// Returns the program that a process was seen to run, or nil if it is not the file at this path in the
  /// agent's own root: a process can have another file there in a root of its own. This may wait for a file
  /// system.
  init?(_ seen: SeenProcess.Program) {
    var present = stat()
    guard lstat(seen.path, &present) == 0, UInt64(present.st_dev) == seen.file.device,
      UInt64(present.st_ino) == seen.file.number
    else { return nil }
    self.init(
      path: seen.path, file: seen.file, isSystem: ProgramFile.isReplaceableByRootOnly(seen.path))
  }

  /// Returns the program by what the kernel has in memory, as ``init(_:)`` does.
  ///
  /// - Throws: ``WouldWait``.
  static func withoutWaiting(_ seen: SeenProcess.Program) throws -> RunningProgram? {
    func look(_ path: String) throws -> atrest_file? {
      var file = atrest_file()
      if atrest_look_at_known_file(path, &file) == 0 { return file }
      // The other look needs no descriptor.
      guard errno != EAGAIN, !DescriptorShortage.isReason else { throw WouldWait() }
      return nil
    }
    guard let present = try look(seen.path), present.device == seen.file.device,
      present.number == seen.file.number
    else { return nil }
    let isSystem = try ProgramFile.isReplaceableByRootOnly(seen.path) { place in
      try look(place).map { ($0.owner, $0.mode) }
    }
    return RunningProgram(path: seen.path, file: seen.file, isSystem: isSystem)
  }
}

extension RunningProgram.FileState {
  init(_ file: atrest_file) {
    self.init(
      device: file.device, number: file.number, size: file.size, modified: file.modified,
      changed: file.changed)
  }
}
