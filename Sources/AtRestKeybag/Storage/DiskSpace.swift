import AtRestCrypto
import Foundation

/// The free space of a disk.
package enum DiskSpace {
  /// Returns the number of bytes that this user can write to the disk of a file, which need not exist, or nil if
  /// that is not known.
  package static func free(at path: String) -> Int? {
    var status = statvfs()
    guard SystemPath.with(SystemPath.folder(of: path), { statvfs($0, &status) }) == 0 else {
      return nil
    }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  fileprivate static func text(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\(bytes / 1_000) kB" : String(format: "%.1f MB", Double(bytes) / 1e6)
  }
}

extension AtRestError {
  /// The error of a file for which its disk has no space, or which may not become larger.
  ///
  /// - Parameter needed: About as many bytes are to be written, or nil if that is not known.
  package static func fullDisk(_ path: String, needed: Int? = nil) -> AtRestError {
    let free = DiskSpace.free(at: path)
    // Less is left of a full disk, because files are written in parts.
    if let free, free > max(needed ?? 0, 1 << 20) {
      return AtRestError(
        .system,
        "\(path) may not become larger, although its disk has \(DiskSpace.text(free)) free.",
        remedy: "Check your quota on this disk, and of a database the pragma max_page_count.")
    }
    var message = "The disk of \(path) is full"
    if let free { message += ": \(DiskSpace.text(free)) are free" }
    if let needed { message += ", and about \(DiskSpace.text(needed)) are needed" }
    return AtRestError(
      .system, message + ".", remedy: "Make room on this disk, or name a file on another one.")
  }
}
