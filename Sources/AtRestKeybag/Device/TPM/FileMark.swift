import Foundation

/// The marks by which a file differs from the one that replaces it: its inode, its size and the time of its last
/// change.
struct FileMark: Equatable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int
  private let nanoseconds: Int

  /// Returns nil if there is no such file.
  init?(of name: String, in storage: FolderStorage) throws {
    guard let status = try storage.opened()?.status(of: name) else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }
}
