import AtRestCrypto
import AtRestKeybag
import Foundation

extension URL {
  /// Waits until the contents of the file or folder are on the disk.
  func synchronize() throws {
    let descriptor = SystemPath.open(path, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    // EINVAL: the file system writes its folders by itself.
    guard descriptor >= 0, fsync(descriptor) == 0 || errno == EINVAL else {
      throw AtRestError(
        .system, "\(path) could not be written to the disk.",
        remedy: "Check the disk, and its free space.",
        cause: POSIXError(.init(rawValue: errno) ?? .EIO))
    }
  }
}
