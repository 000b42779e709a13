import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// The file to which a backup is written.
enum BackupPlace {
  /// Refuses to replace anything other than an earlier backup or an empty file, before the user is asked
  /// for anything.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` for another file;
  ///   ``AtRestError/Code/invalidArgument`` for a folder or a special file; ``AtRestError/Code/notFound`` if
  ///   the folder for it is missing; ``AtRestError/Code/notPermitted`` if nothing may be created there; the
  ///   errors of reading it.
  static func check(_ path: String) throws {
    guard let status = FileStatus.at(path) else { return try checkFolder(of: path) }
    guard status.isRegular else {
      throw AtRestError.invalid(
        "\(path) is a folder or a special file.", remedy: "Choose the name of a file.")
    }
    guard status.size > 0 else { return }
    let head = try MessageInput.head(of: path, count: 64)
    guard head.withUnsafeBytes({ BackupKeybag.begins($0) }) else {
      throw AtRestError(
        .duplicate, "\(path) exists and is not a backup.",
        remedy: "Choose another name, or remove it.")
    }
  }

  private static func checkFolder(of path: String) throws {
    let folder = SystemPath.folder(of: path)
    guard SystemPath.with(folder, { access($0, W_OK | X_OK) }) != 0 else { return }
    guard errno != ENOENT else {
      throw AtRestError(
        .notFound, "There is no folder \(folder).", remedy: "Create it, or choose another place.")
    }
    throw SystemCall.error("create files in", folder)
  }
}
