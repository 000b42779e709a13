import AtRestKeybag
import Foundation

/// The file system's data about a file. Two values are equal as long as nobody wrote to the file.
package struct FileStatus: Hashable, Sendable {
  /// The number of the file system.
  package let device: UInt64
  let inode: UInt64
  package let size: UInt64
  let mode: UInt32
  let modified: Int64
  /// The number of hard links.
  package let links: UInt64
  package var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  package var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }
  package var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
  var permissions: UInt32 { mode & 0o777 }

  package init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = UInt64(max(0, status.st_size))
    mode = UInt32(status.st_mode)
    links = UInt64(status.st_nlink)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Returns the status of the file at a path, or nil if no file exists there. If links are not
  /// followed, the status of a link itself is returned.
  package static func at(_ path: String, followingLinks: Bool = true) -> FileStatus? {
    SystemPath.status(path, followingLinks: followingLinks).map(FileStatus.init)
  }

  /// The identity of the file, which does not depend on its contents.
  package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }
}
