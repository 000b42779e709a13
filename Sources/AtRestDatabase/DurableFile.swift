import AtRestCrypto
import AtRestKeybag
import Foundation

/// Files that are durable before anything else refers to them.
enum DurableFile {
  /// Makes a file with mode 0600, which must not exist. It is durable afterwards, except its name.
  static func make(_ path: String, _ data: Data) throws {
    try make(path) { file in try SystemCall.write(data, to: file, path: path) }
  }

  static func make(_ path: String, _ write: (Int32) throws -> Void) throws {
    let file = SystemPath.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      let number = errno
      guard number == EEXIST else { throw SystemCall.error("create", path) }
      throw AtRestError(
        .duplicate, "The file \(path) exists.", remedy: "Name another file, or remove this one.")
    }
    defer { close(file) }
    try write(file)
    guard fsync(file) == 0 else { throw SystemCall.error("write", path) }
  }
}
