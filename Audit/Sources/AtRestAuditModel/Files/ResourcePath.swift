/// Paths below the folder that is audited, with `/` between their parts.
package enum ResourcePath {
  /// Joins two paths and resolves `.` and `..`. A path that leads out of the folder keeps its `..`.
  package static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") { return path }
    var parts: [Substring] = []
    for part in folder.split(separator: "/") + path.split(separator: "/") {
      switch part {
      case ".": continue
      case ".." where parts.last.map({ $0 != ".." }) ?? false: parts.removeLast()
      default: parts.append(part)
      }
    }
    return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }

  /// The folder that contains a file, or an empty string at the top level.
  package static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The name of a file without its extension.
  package static func stem(of path: String) -> String {
    let name = name(of: path)
    return name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
  }

  /// The extension of the name in lower case, without the point.
  package static func ending(of path: String) -> String {
    let name = name(of: path)
    guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "" }
    return name[name.index(after: point)...].lowercased()
  }
}
