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

  /// Gives a new file the owner and the permissions of the one that it replaces. Only root can give a file away. If the
  /// group cannot stay either, its members get no access.
  static func takeProperties(of former: stat, _ file: Int32, _ path: String) throws {
    let keepsGroup =
      fchown(file, former.st_uid, former.st_gid) == 0
      || fchown(file, uid_t.max, former.st_gid) == 0
    let mode = former.st_mode & (keepsGroup ? 0o777 : 0o707)
    guard fchmod(file, mode) == 0 else {
      throw SystemCall.error("change the permissions of", path)
    }
  }
}
