import AtRestCrypto
import Foundation

/// Opens files in the folder of a store, a device or a vault. Only regular files are accepted that
/// have one name, belong to the user or to root, and cannot be written by other users.
///
/// Everything is checked on the descriptor, so the checks hold for the bytes that are read and
/// written.
package enum PrivateFile {
  /// Opens a file, or returns nil if it does not exist.
  ///
  /// - Parameters:
  ///   - mayHaveSecondName: True if the caller checks the number of names itself.
  ///   - isAny: True to accept any regular file.
  /// - Throws: ``AtRestError/Code/damaged`` if there is a link, a folder or a special file in place
  ///   of the file, or the file has a second name; ``AtRestError/Code/notPermitted`` if it belongs
  ///   to another user or other users may write to it; ``AtRestError/Code/system``.
  package static func open(
    _ name: String, in folder: OpenFolder, flags: Int32, mayHaveSecondName: Bool = false,
    isAny: Bool = false
  ) throws -> (descriptor: Int32, status: stat)? {
    let path = folder.path(name)
    let descriptor = folder.open(name, flags: flags)
    guard descriptor >= 0 else {
      let number = errno
      if number == ENOENT { return nil }
      // For a link, a socket or a pipe without a reader, the kind of file explains more than the
      // error number.
      if let status = folder.status(of: name) { try checkKind(status, path) }
      errno = number
      throw SystemCall.error("open", path)
    }
    do {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemCall.error("inspect", path) }
      if isAny {
        try checkKind(status, path)
      } else {
        try check(status, path, mayHaveSecondName: mayHaveSecondName)
      }
      return (descriptor, status)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// Checks a file without opening it, for code that opens the file by its path.
  ///
  /// - Returns: The status of the file, or nil if it does not exist.
  /// - Throws: The errors of ``open(_:in:flags:mayHaveSecondName:)``.
  @discardableResult
  package static func check(_ name: String, in folder: OpenFolder) throws -> stat? {
    guard let status = folder.status(of: name) else {
      guard errno == ENOENT else { throw SystemCall.error("inspect", folder.path(name)) }
      return nil
    }
    try check(status, folder.path(name), mayHaveSecondName: false)
    return status
  }

  /// Refuses a file that another user could have created or could change.
  package static func check(_ status: stat, _ path: String, mayHaveSecondName: Bool) throws {
    try checkKind(status, path)
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw AtRestError(
        .notPermitted, "\(path) belongs to another user (\(status.st_uid)).",
        remedy:
          "Run as that user, or use a folder of your own. If you moved the folder here, take it "
          + "over with chown.")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw AtRestError(
        .notPermitted, "\(path) can be written by other users.",
        remedy: "If nobody else changed it, run chmod 600 on it.")
    }
    guard mayHaveSecondName || status.st_nlink <= 1 else { throw secondName(path) }
  }

  package static func secondName(_ path: String) -> AtRestError {
    .damaged(
      "\(path) has a second name (a hard link), under which other users may change it.",
      remedy: "Remove the other name, or put a copy of the file in the place of this one.")
  }

  private static func checkKind(_ status: stat, _ path: String) throws {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFLNK: kind = "a symbolic link"
    case S_IFDIR: kind = "a folder"
    case S_IFIFO: kind = "a named pipe"
    case S_IFSOCK: kind = "a socket"
    default: kind = "a device"
    }
    throw AtRestError.damaged(
      "\(path) is \(kind), not a regular file.",
      remedy: "Put back the file that belongs there. A lock file is created again after you "
        + "remove this one.")
  }

  /// Refuses a folder that belongs to another user or that other users can write to, before a store
  /// or a device key is created in it.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted``.
  package static func checkNew(_ folder: OpenFolder) throws {
    let status = try folder.status()
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw AtRestError(
        .notPermitted, "The folder \(folder.path) belongs to another user (\(status.st_uid)).",
        remedy: "Choose a folder of your own.")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw AtRestError(
        .notPermitted, "Other users can write to the folder \(folder.path).",
        remedy: "Choose another folder, or run chmod 700 on this one.")
    }
  }
}
