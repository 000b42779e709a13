import AtRestCrypto
import AtRestKeybag
import Foundation

/// Small files that are written as a whole, so that a crash leaves the old contents or the new ones.
enum DurableFile {
  /// Makes a file, unless it exists.
  static func make(_ url: URL, _ data: Data) throws {
    try write(data, beside: url) { name in
      // Unlike a rename, a link does not replace a file.
      guard SystemPath.link(name, as: url.path) || errno == EEXIST else { return false }
      return SystemPath.remove(name)
    }
  }

  /// Writes a file in place of the one that exists.
  static func replace(_ url: URL, _ data: Data) throws {
    try write(data, beside: url) { SystemPath.rename($0, to: url.path) }
  }

  private static func write(
    _ data: Data, beside url: URL, _ name: (String) -> Bool
  ) throws {
    let new = url.temporaryNeighbour()
    do {
      let file = SystemPath.open(
        new.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      defer { close(file) }
      try SystemCall.write(data, to: file, path: new.path)
      guard fsync(file) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      guard name(new.path) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      try url.deletingLastPathComponent().synchronize()
    } catch {
      SystemPath.remove(new.path)
      throw AtRestError(
        .system, "The file \(url.path) could not be written.",
        remedy: "Check the folder, its permissions and the free space of its disk.", cause: error)
    }
  }
}
