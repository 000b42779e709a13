import AtRestFormats
import Crypto
import Foundation

/// React Native's AsyncStorage, which keeps long values in files of their own.
extension FileWalk {
  /// The maximum size in bytes of the list of keys.
  private static let listLimit = 8 << 20
  private static let nameSize = 32

  /// The key whose value is a file, according to the list of keys beside it. The name of the file is the MD5 of the key.
  func storedKey(of task: ListedFile) -> String? {
    let parts = task.file.path.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, name.utf8.count == Self.nameSize,
      name.utf8.allSatisfy({ ASCII.isDigit($0) || (0x61...0x66).contains($0) })
    else { return nil }
    let list = (parts.dropLast() + ["manifest.json"]).joined(separator: "/")
    guard let file = task.group.file(list), file.size <= Self.listLimit else { return nil }
    let keys = task.group.requests(of: list) {
      guard let source = try? task.group.tree.open(file).source(limit: decodeLimit).source,
        let bytes = try? source.read(0..<source.count)
      else { return [:] }
      return Self.names(of: PropertyList.json(bytes, path: "").root?.entries ?? [])
    }
    return keys[String(name)]
  }

  /// The keys without a value in the list, by the names of their files.
  private static func names(of entries: [PropertyList.Entry]) -> [String: String] {
    var names: [String: String] = [:]
    for entry in entries {
      guard case .null = entry.node.value else { continue }
      let hash = Insecure.MD5.hash(data: Data(entry.key.utf8))
      let name = hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      names[name] = Locator.shortened(entry.key)
    }
    return names
  }
}
