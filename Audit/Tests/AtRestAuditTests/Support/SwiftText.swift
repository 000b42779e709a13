import AtRestAudit
import AtRestAuditSwift

/// Reads pieces of Swift and writes them as `ModelText`.
enum SwiftText {
  /// A whole file.
  static func file(_ text: String) -> String {
    ModelText.of(SwiftReader.read(text, path: "a.swift"))
  }

  /// Statements of a function, one a line.
  static func statements(_ text: String) -> String {
    let file = SwiftReader.read("func f() {\n\(text)\n}", path: "a.swift")
    return file.functions.first?.body.map(ModelText.lines) ?? "no function"
  }

  /// An expression.
  static func expression(_ text: String) -> String {
    let found = statements("return \(text)")
    return found.hasPrefix("return ") ? String(found.dropFirst(7)) : found
  }
}
