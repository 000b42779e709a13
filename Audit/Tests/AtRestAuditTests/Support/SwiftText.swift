import AtRestAudit
import AtRestAuditSwift

/// Reads pieces of Swift and writes them as `ModelText`.
enum SwiftText {
  /// Returns the text of a whole file.
  static func file(_ text: String) -> String {
    ModelText.of(SwiftReader.read(text, path: "a.swift"))
  }

  /// Returns the text of a function's statements, one per line.
  static func statements(_ text: String) -> String {
    let file = SwiftReader.read("func f() {\n\(text)\n}", path: "a.swift")
    return file.functions.first?.body.map(ModelText.lines) ?? "no function"
  }

  /// Returns the text of an expression.
  static func expression(_ text: String) -> String {
    let found = statements("return \(text)")
    return found.hasPrefix("return ") ? String(found.dropFirst(7)) : found
  }
}
