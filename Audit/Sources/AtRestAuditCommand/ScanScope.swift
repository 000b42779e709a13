import AtRestAudit
import Foundation

/// The folder that is audited, and the parts of it that are read.
///
/// A single folder is audited by itself if it has settings of its own or is outside the current
/// folder. Otherwise paths are relative to the current folder, or to the nearest folder that
/// contains all of them.
struct ScanScope {
  let folder: String
  /// The paths below the folder. If there are none, the whole folder is read.
  let paths: [String]

  /// - Throws: ``AuditError`` if a path does not exist.
  init(_ arguments: [String]) throws {
    let manager = FileManager.default
    let current = manager.currentDirectoryPath
    let absolute = try (arguments.isEmpty ? ["."] : arguments).map { argument in
      let path = URL(
        fileURLWithPath: argument, relativeTo: URL(fileURLWithPath: current, isDirectory: true)
      ).standardizedFileURL.path
      guard manager.fileExists(atPath: path) else {
        throw AuditError("\(argument) does not exist. Check the path.")
      }
      return path
    }
    if absolute.count == 1, let path = absolute.first, Self.isFolder(path),
      path == current || !Self.isBelow(path, current)
        || manager.fileExists(atPath: path + "/" + Settings.fileName)
    {
      folder = path
      paths = []
      return
    }
    var root = current
    if !absolute.allSatisfy({ Self.isBelow($0, current) }) {
      root = (absolute[0] as NSString).deletingLastPathComponent
      while root != "/", !absolute.allSatisfy({ Self.isBelow($0, root) }) {
        root = (root as NSString).deletingLastPathComponent
      }
    }
    folder = root
    let prefix = root.hasSuffix("/") ? root.utf8.count : root.utf8.count + 1
    paths = absolute.map { String(decoding: $0.utf8.dropFirst(prefix), as: UTF8.self) }
  }

  /// Returns the absolute path of a path in the settings, which is relative to the settings'
  /// folder.
  static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
  }

  /// Returns a path as one below the folder that is audited, or nil if it is elsewhere.
  func relative(_ path: String) -> String? {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    guard path != folder, Self.isBelow(path, folder) else { return nil }
    return String(decoding: path.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
  }

  private static func isBelow(_ path: String, _ folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
