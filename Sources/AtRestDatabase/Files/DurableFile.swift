import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation

/// Files that are durable before anything else refers to them.
enum DurableFile {
  /// Makes a file with mode 0600, which must not exist. It is durable afterwards, except its name.
  static func make(_ path: String, _ data: Data) throws {
    try make(path) { file in try SystemCall.write(data, to: file, path: path) }
  }

  /// - Parameter shown: The path in messages, if the file gets another name later.
  static func make(
    _ path: String, shown: String? = nil, _ write: (Int32) throws -> Void
  ) throws {
    let shown = shown ?? path
    let file = SystemPath.open(
      path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      let number = errno
      guard number == EEXIST else { throw SystemCall.error("create", shown) }
      throw AtRestError(
        .duplicate, "The file \(path) exists.", remedy: "Name another file, or remove this one.")
    }
    defer { close(file) }
    try write(file)
    guard fsync(file) == 0 else { throw SystemCall.error("write", shown) }
  }

  /// Gives a new file the owner and the permissions of the one that it replaces. Only root can give a file away. If the
  /// group cannot stay either, its members get no access.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if the owner would change, and the former one would have less access.
  static func takeProperties(
    of former: String, _ status: stat, _ file: Int32, _ path: String
  ) throws {
    let keepsOwner = fchown(file, status.st_uid, status.st_gid) == 0
    let keepsGroup = keepsOwner || fchown(file, uid_t.max, status.st_gid) == 0
    let mode = status.st_mode & (keepsGroup ? 0o777 : 0o707)
    var made = stat()
    guard fstat(file, &made) == 0 else { throw SystemCall.error("inspect", path) }
    // Root can use every file. Another former owner is one of the group's members.
    guard [made.st_uid, 0].contains(status.st_uid) || ~(mode >> 3) & (mode >> 6) & 0o6 == 0 else {
      throw AtRestError(
        .notPermitted,
        "\(former) belongs to another user, who could not use the file that replaces it.",
        remedy:
          "Run as this user, or as root (CAP_CHOWN and CAP_FOWNER). Nothing was modified."
      )
    }
    guard SystemPath.with(former, { atrest_copy_access_list($0, file) }) == 0 else {
      throw SystemCall.error("copy the access list to", path)
    }
    guard fchmod(file, mode) == 0 else {
      throw SystemCall.error("change the permissions of", path)
    }
  }
}
