import Foundation

/// The sight of one small file, which may be replaced or removed at any time.
package struct FileSight: Sendable {
  /// Returns the mark of the file, or nil if it cannot be seen now.
  let look: @Sendable () -> ChangeMark?
  /// Does the same, and holds the file open if it is on a disk.
  let hold: @Sendable () -> SeenFile?

  /// Sees a file on a disk by its path, so that a folder that was moved or replaced is noticed too.
  init(path: String) {
    look = {
      SystemPath.status(path, followingLinks: false).map { ChangeMark($0) }
    }
    hold = {
      guard let file = HeldFile(path: path), let mark = file.mark else { return nil }
      return SeenFile(mark: mark, file: file)
    }
  }

  /// Sees contents that are not in a file. They may be secret, and are erased.
  init(contents: @escaping @Sendable () throws -> Data?) {
    let look: @Sendable () -> ChangeMark? = {
      guard var contents = (try? contents()).flatMap({ $0 }) else { return nil }
      return ChangeMark(erasing: &contents)
    }
    self.look = look
    hold = { look().map { SeenFile(mark: $0, file: nil) } }
  }
}
