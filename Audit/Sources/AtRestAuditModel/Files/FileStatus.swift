import Foundation

/// The type of an entry of the file system.
package enum FileStatus {
  case file
  case folder
  case link
  case other

  /// Returns nil if nothing exists at the path or its type cannot be read.
  ///
  /// - Parameter followsLink: True to get the type of a link's target.
  package init?(_ path: String, followsLink: Bool) {
    #if os(Windows)
      let manager = FileManager.default
      let path = followsLink ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
      guard let attributes = try? manager.attributesOfItem(atPath: path) else { return nil }
      switch attributes[.type] as? FileAttributeType {
      case .typeRegular: self = .file
      case .typeDirectory: self = .folder
      case .typeSymbolicLink: self = .link
      default: self = .other
      }
    #else
      // Foundation also looks up the owner's name, which takes longer than the rest.
      var status = stat()
      guard (followsLink ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      default: self = .other
      }
    #endif
  }
}
