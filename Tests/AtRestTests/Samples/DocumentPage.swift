import Foundation

/// A page of the documentation and the samples in Swift on it.
///
/// A sample is a fence of the language `swift` after a line that names where its code is compiled:
/// `<!-- sample FILE: NAME -->`, or `<!-- sample with imports FILE: NAME -->`.
struct DocumentPage {
  /// A sample and where its code is compiled.
  struct Sample {
    let file: String
    let name: String
    let showsImports: Bool
    let text: String
  }

  let text: String
  private(set) var samples: [Sample] = []
  /// The samples in Swift without such a line.
  private(set) var unmarked: [String] = []

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The README and every page in docs, from the root of the repository.
  static let paths: [String] = {
    let folder = root.appendingPathComponent("docs").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  init(_ path: String) throws {
    text = try String(
      contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    var fence: [String]?
    var marker = ""
    var former = ""
    for line in text.components(separatedBy: "\n") {
      if let lines = fence {
        if line == "```" {
          add(lines.joined(separator: "\n"), marker)
          fence = nil
        } else {
          fence = lines + [line]
        }
      } else if line == "```swift" {
        fence = []
        marker = former
      }
      former = line
    }
  }

  private mutating func add(_ code: String, _ marker: String) {
    let (prefix, suffix) = ("<!-- sample ", " -->")
    guard marker.hasPrefix(prefix), marker.hasSuffix(suffix) else {
      unmarked.append(code)
      return
    }
    var place = String(marker.dropFirst(prefix.count).dropLast(suffix.count))
    let showsImports = place.hasPrefix("with imports ")
    if showsImports { place = String(place.dropFirst("with imports ".count)) }
    let parts = place.components(separatedBy: ": ")
    samples.append(
      Sample(
        file: parts[0], name: parts.dropFirst().joined(separator: ": "),
        showsImports: showsImports, text: code))
  }
}
