import AtRestAuditModel
import AtRestContainers
import AtRestFormats
import Foundation

extension Locator {
  /// The steps without rows, indices, lines and offsets, which distinguish values of one kind.
  package var column: [String] {
    steps.compactMap { step in
      switch step {
      case .cell(let table, _, let column): "\(table).\(column)"
      case .keyPath(let path): Self.withoutIndices(path)
      case .deleted: "deleted"
      case .line, .offset: nil
      case .entry(let name), .record(let name), .encoding(let name): name
      }
    }
  }

  private static func withoutIndices(_ path: String) -> String {
    var result = ""
    var isIndex = false
    for character in path {
      if isIndex, character.isNumber { continue }
      isIndex = character == "["
      result.append(character)
    }
    return result
  }

  /// The place in which the app stored the value, if code can name it: a key of preferences, a
  /// column, a cookie, or the server of a cached response.
  package var slot: StorageSlot? {
    let parts = path.split(separator: "/").map(String.init)
    guard let file = parts.last, let step = steps.first else { return nil }
    switch step {
    case .keyPath(let path):
      guard parts.dropLast().last == "Preferences", file.hasSuffix(".plist") else { return nil }
      return Self.firstKey(path).map { .preference(suite: String(file.dropLast(6)), key: $0) }
    case .cell(let table, _, let column):
      if table.hasPrefix("cfurl_cache_") { return response }
      return .column(table: table, column: column)
    case .record(let name):
      if parts.dropLast().last == "fsCachedData" { return response }
      guard file.hasSuffix(".binarycookies"), let space = name.lastIndex(of: " "),
        let slash = name.firstIndex(of: "/")
      else { return nil }
      return .cookie(
        domain: String(name[..<min(slash, space)]), name: String(name[name.index(after: space)...]))
    case .entry, .deleted, .line, .offset, .encoding: return nil
    }
  }

  /// The responses of the server that the first record names by its address.
  private var response: StorageSlot? {
    for case .record(let request) in steps.prefix(2) {
      if let host = URLComponents(string: request)?.host?.lowercased() {
        return .response(host: host)
      }
    }
    return nil
  }

  /// Returns the first key of a key path, or nil if the path begins with an index.
  private static func firstKey(_ path: String) -> String? {
    if path.hasPrefix("\"") {
      // A quoted key ends before a point, a bracket or the end of the path.
      let key = path.dropFirst()
      for end in key.indices where key[end] == "\"" {
        let next = key.index(after: end)
        if next == key.endIndex || key[next] == "." || key[next] == "[" {
          return String(key[..<end])
        }
      }
      return nil
    }
    let key = path.prefix { $0 != "." && $0 != "[" }
    return key.isEmpty ? nil : String(key)
  }
}
