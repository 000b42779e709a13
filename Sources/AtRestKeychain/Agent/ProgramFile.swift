import AtRestKeybag
import Foundation

/// The file of a program, as evidence about the processes that run it.
@_spi(Tools) public enum ProgramFile {
  /// Returns true if only root can replace the file at a path: the file and each of its folders belong
  /// to root, and nobody else can write to them.
  ///
  /// - Parameter path: An absolute path without links.
  public static func isReplaceableByRootOnly(_ path: String) -> Bool {
    guard path.hasPrefix("/") else { return false }
    var place = path
    while true {
      guard let status = SystemPath.status(place, followingLinks: false), status.st_uid == 0,
        status.st_mode & 0o022 == 0,
        place == path || status.st_mode & S_IFMT == S_IFDIR
      else { return false }
      if place == "/" { return true }
      place = (place as NSString).deletingLastPathComponent
    }
  }
}
