import Crypto
import Foundation

/// A value that differs once a small file was replaced, changed or removed.
package struct ChangeMark: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int
  /// A file that was replaced loses its name, even if the clock of the file system stood still.
  private let names: Int

  /// The mark of a file on a disk.
  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    names = Int(status.st_nlink)
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// The mark of a file in a folder, or nil if there is no such file.
  init?(of name: String, in storage: FolderStorage) throws {
    guard let status = try storage.opened()?.status(of: name) else { return nil }
    self.init(status)
  }

  /// The mark of contents that are not in a file. The contents may be secret, and are erased.
  init(erasing contents: inout Data) {
    device = 0
    inode = SHA256.hash(data: contents).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    size = Int64(contents.count)
    (seconds, nanoseconds, names) = (0, 0, 1)
    contents.erase()
  }
}
