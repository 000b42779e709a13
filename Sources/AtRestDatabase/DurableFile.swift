import AtRestCrypto
import Foundation

/// Small files that are written as a whole, so that a crash leaves the old contents or the new ones.
enum DurableFile {
  /// Makes a file, unless it exists.
  static func make(_ url: URL, _ data: Data) throws {
    try write(data, beside: url) { name in
      // Unlike a rename, a link does not replace a file.
      guard link(name, url.path) == 0 || errno == EEXIST else { return false }
      return unlink(name) == 0
    }
  }

  /// Writes a file in place of the one that exists.
  static func replace(_ url: URL, _ data: Data) throws {
    try write(data, beside: url) { rename($0, url.path) == 0 }
  }

  private static func write(
    _ data: Data, beside url: URL, _ name: (String) -> Bool
  ) throws {
    let new = url.temporaryNeighbour()
    do {
      guard
        FileManager.default.createFile(
          atPath: new.path, contents: data, attributes: [.posixPermissions: 0o600])
      else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      try new.synchronize()
      guard name(new.path) else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
      try url.deletingLastPathComponent().synchronize()
    } catch {
      try? FileManager.default.removeItem(at: new)
      throw AtRestError(
        .system, "The file \(url.path) could not be written.",
        remedy: "Check the folder, its permissions and the free space of its disk.", cause: error)
    }
  }
}
