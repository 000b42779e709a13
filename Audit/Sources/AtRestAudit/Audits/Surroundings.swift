import AtRestAuditModel
import Foundation

/// Describes a project beyond the files that were read.
package struct Surroundings: Sendable {
  /// True if all code of the project was read, and nobody outside of the project calls it.
  package let isWhole: Bool
  /// The hashes of the names that generated code and tests mention, which are not read.
  package let mentions: Set<UInt32>

  /// Creates a value. By default, only a part of the project was read.
  package init(isWhole: Bool = false, mentions: Set<UInt32> = []) {
    self.isWhole = isWhole
    self.mentions = mentions
  }
}

extension SourceTree {
  /// True if some of the code is published as a pod, so that others call what it declares.
  func isPod(_ files: [AuditFile]) -> Bool {
    let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) }
    let specifications = (names ?? pathsInMemory ?? []).filter {
      $0.hasSuffix(".podspec") && !$0.contains("/")
    }
    return specifications.contains { name in
      guard let data = try? read(name, limit: 1 << 20) else { return false }
      return Self.folders(ofPod: String(decoding: data, as: UTF8.self)).contains { folder in
        files.contains { $0.kind.isCode && $0.path.hasPrefix(folder) }
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
