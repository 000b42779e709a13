import Foundation

/// What the file system knows of a file.
struct FileStatus: Equatable {
  private let device: UInt64
  private let inode: UInt64
  private let modified: Int64
  private let mode: mode_t
  let size: UInt64
  let names: UInt64

  var isRegular: Bool { mode & S_IFMT == S_IFREG }
  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
  var isLink: Bool { mode & S_IFMT == S_IFLNK }

  /// Looks a path up; nil where there is nothing, or it cannot be looked up.
  init?(at path: String, followingLinks: Bool = true) {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    mode = status.st_mode
    size = UInt64(max(0, status.st_size))
    names = UInt64(status.st_nlink)
  }

  func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
