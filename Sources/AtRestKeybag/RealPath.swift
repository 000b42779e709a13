import Foundation

/// Resolves the links in a path, even if the last parts of the path do not exist yet.
package enum RealPath {
  /// The number of links that Linux follows in one path.
  private static let maximumLinks = 40

  package static func of(_ folder: URL) -> String {
    var folder = folder.standardizedFileURL
    // A dangling link still shows where the folder belongs: the disk of its target may not be
    // mounted.
    for _ in 0..<maximumLinks {
      guard let target = danglingTarget(of: folder) else { break }
      folder = target.standardizedFileURL
    }
    var existing = folder
    var missing: [String] = []
    while existing.path != "/" && !FileManager.default.fileExists(atPath: existing.path) {
      missing.insert(existing.lastPathComponent, at: 0)
      existing.deleteLastPathComponent()
    }
    var path = existing.resolvingSymlinksInPath().path
    for part in missing { path += path.hasSuffix("/") ? part : "/" + part }
    return path
  }

  /// Returns the path with a dangling link replaced by the target of the link, or nil if the path
  /// has no dangling link.
  private static func danglingTarget(of folder: URL) -> URL? {
    var rest: [String] = []
    var part = folder
    while part.path != "/" && !FileManager.default.fileExists(atPath: part.path) {
      if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: part.path) {
        let parent = part.deletingLastPathComponent().resolvingSymlinksInPath()
        let base =
          target.hasPrefix("/")
          ? URL(fileURLWithPath: target) : parent.appendingPathComponent(target)
        return rest.reduce(base) { $0.appendingPathComponent($1) }
      }
      rest.insert(part.lastPathComponent, at: 0)
      part.deleteLastPathComponent()
    }
    return nil
  }
}
