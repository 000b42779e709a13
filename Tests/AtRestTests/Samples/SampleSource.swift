import Foundation
import Testing

/// A compiled file with samples, each between `// sample: NAME` and `// sample: end`.
struct SampleSource {
  private let lines: [String]

  init(_ path: String) throws {
    let file = DocumentPage.root.appendingPathComponent(path)
    lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  }

  /// The modules that the file imports, without the testing library, in their order.
  var imports: [String] {
    lines.filter { $0.hasPrefix("import ") }.map { String($0.dropFirst("import ".count)) }
      .filter { $0 != "Testing" }
  }

  /// The libraries of Package.swift.
  static func products() throws -> [String] {
    try SampleSource("Package.swift").lines.compactMap { line in
      line.contains(".library(name: \"") ? line.components(separatedBy: "\"")[1] : nil
    }
  }

  /// A sample as pages show it, without the indentation of its first mark.
  func text(of name: String, withImports: Bool) throws -> String {
    let mark = "// sample: \(name)"
    let begin = try #require(
      lines.firstIndex { $0.trimmingCharacters(in: .whitespaces) == mark }, "\(name)")
    let indentation = lines[begin].count - mark.count
    let body = lines[(begin + 1)...].prefix {
      $0.trimmingCharacters(in: .whitespaces) != "// sample: end"
    }
    var shown = body.map { String($0.dropFirst(indentation)) }
    if withImports {
      let products = try Self.products()
      let needed = imports.filter { products.contains($0) }.joined(separator: ", ")
      shown = ["// products: \(needed)"] + imports.map { "import \($0)" } + [""] + shown
    }
    return shown.joined(separator: "\n")
  }
}
