import AtRestAuditModel
import Foundation

/// Describes a project beyond the files that were read.
package struct Surroundings: Sendable {
  /// True if all code of the project was read, and nobody outside of the project calls it.
  package let isWhole: Bool
  /// The folder of the project with its slash, or an empty string for that of the tree.
  package let folder: String
  /// The hashes of the names that code mentions which is left out but ships, such as generated code.
  package let mentions: Set<UInt32>
  /// The folders with a manifest of a build that is not read, such as the specification of a pod.
  package let manifests: Set<String>

  /// Creates a value. By default, only a part of the project was read.
  package init(
    isWhole: Bool = false, folder: String = "", mentions: Set<UInt32> = [],
    manifests: Set<String> = []
  ) {
    self.isWhole = isWhole
    self.folder = folder
    self.mentions = mentions
    self.manifests = manifests
  }
}

extension SourceTree {
  /// True if some of the code is published as a pod, so that others call what it declares.
  func isPod(_ files: [AuditFile], in base: String) -> Bool {
    let names = folder.flatMap {
      try? FileManager.default.contentsOfDirectory(atPath: $0 + "/" + base)
    }
    let inMemory = (pathsInMemory ?? []).filter { $0.hasPrefix(base) }.map {
      String($0.dropFirst(base.count))
    }
    let specifications = (names ?? inMemory).filter {
      $0.hasSuffix(".podspec") && !$0.contains("/")
    }
    return specifications.contains { name in
      guard let data = try? read(base + name, limit: 1 << 20) else { return false }
      return Self.folders(ofPod: String(decoding: data, as: UTF8.self)).contains { folder in
        files.contains { $0.kind.isCode && $0.path.hasPrefix(base + folder) }
      }
    }
  }

  /// Returns what the patterns of the sources in a specification begin with: `App/` for
  /// `source_files = "App/**/*.swift"`.
  private static func folders(ofPod text: String) -> [Substring] {
    text.split(separator: "\n").filter { $0.contains("source_files") }.flatMap { line in
      line.split(omittingEmptySubsequences: false) { $0 == "\"" || $0 == "'" }.enumerated()
        .filter { $0.offset % 2 == 1 && !$0.element.contains("#{") }
        .map { $0.element.prefix { !"*{[?".contains($0) } }
    }
  }
}
