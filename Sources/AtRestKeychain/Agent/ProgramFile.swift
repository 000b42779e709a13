@_spi(Tools) import AtRestKeybag
import Foundation

/// The file of a program, as evidence about the processes that run it.
@_spi(Tools) public enum ProgramFile {
  /// Returns true if only root can replace the file at a path: the file and each of its folders belong
  /// to root, and nobody else can write to them.
  ///
  /// - Parameter path: An absolute path without links.
  public static func isReplaceableByRootOnly(_ path: String) -> Bool {
    isReplaceableByRootOnly(path) { place in
      SystemPath.status(place, followingLinks: false).map { ($0.st_uid, UInt32($0.st_mode)) }
    }
  }

  /// Returns true if only root can replace a file, by the owners and modes that a closure finds. The closure
  /// returns nil for a place that does not exist.
  public static func isReplaceableByRootOnly(
    _ path: String, look: (String) throws -> (owner: UInt32, mode: UInt32)?
  ) rethrows -> Bool {
    guard path.hasPrefix("/") else { return false }
    var place = path
    while true {
      guard let (owner, mode) = try look(place), owner == 0, mode & 0o022 == 0,
        place == path || mode & UInt32(S_IFMT) == UInt32(S_IFDIR)
      else { return false }
      if place == "/" { return true }
      place = (place as NSString).deletingLastPathComponent
    }
  }
}
