import Foundation

/// Resolves the links in a path, even if the last parts of the path do not exist yet.
package enum RealPath {
  /// The number of links that Linux follows in one path.
  private static let maximumLinks = 40

  package static func of(_ folder: URL) -> String {
    var folder = SystemPath.url(folder.path)
    // A dangling link still shows where the folder belongs: the disk of its target may not be
    // mounted.
    for _ in 0..<maximumLinks {
      guard let target = danglingTarget(of: folder) else { break }
      folder = SystemPath.url(target.path)
    }
    var existing = folder
    var missing: [String] = []
    while existing.path != "/" && SystemPath.status(existing.path) == nil {
      missing.insert(existing.lastPathComponent, at: 0)
      existing.deleteLastPathComponent()
    }
    var path = resolved(existing)
    for part in missing { path += path.hasSuffix("/") ? part : "/" + part }
    return path
  }

  private static func resolved(_ folder: URL) -> String {
    SystemPath.real(folder.path) ?? folder.path
  }

  /// Returns the path with a dangling link replaced by the target of the link, or nil if the path
  /// has no dangling link.
  private static func danglingTarget(of folder: URL) -> URL? {
    var rest: [String] = []
    var part = folder
    while part.path != "/" && SystemPath.status(part.path) == nil {
      if let target = SystemPath.target(ofLink: part.path) {
        let parent = URL(fileURLWithPath: resolved(part.deletingLastPathComponent()))
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
