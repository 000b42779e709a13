import AtRestKeybag
import Foundation

/// The identity of a file, whatever its name.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Returns nil if there is no such file. A link is not followed.
  init?(_ path: String) {
    guard let status = SystemPath.status(path, followingLinks: false) else { return nil }
    self.init(status)
  }

  /// Returns nil if the descriptor is not open.
  init?(_ file: Int32) {
    var status = stat()
    guard fstat(file, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
