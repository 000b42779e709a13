import AtRestAudit
import Foundation

/// The folder that is audited, and what in it is.
///
/// One folder is audited by itself if it has settings of its own or lies elsewhere than below the current
/// folder; else paths are told from the current folder, or the nearest folder above all of them.
struct ScanScope {
  let folder: String
  /// Paths below the folder; all of it if there are none.
  let paths: [String]

  /// - Throws: ``AuditError`` for a path where nothing is.
  init(_ arguments: [String]) throws {
    let manager = FileManager.default
    let current = manager.currentDirectoryPath
    let absolute = try (arguments.isEmpty ? ["."] : arguments).map { argument in
      let path = URL(
        fileURLWithPath: argument, relativeTo: URL(fileURLWithPath: current, isDirectory: true)
      ).standardizedFileURL.path
      guard manager.fileExists(atPath: path) else { throw AuditError("There is no \(argument).") }
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

  /// A path of the settings, from their folder.
  static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
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
