import AtRestAudit
import AtRestAuditObjectiveC

/// Reads pieces of Objective-C and writes them as `ModelText`.
enum ObjectiveCText {
  /// Returns the text of a whole file.
  static func file(_ text: String, path: String = "a.m") -> String {
    ModelText.of(ObjectiveCReader.read(text, path: path))
  }

  /// Returns the text of a function's statements, one per line, and of what was skipped.
  static func statements(_ text: String, path: String = "a.m") -> String {
    let file = ObjectiveCReader.read("void f(void) {\n\(text)\n}", path: path)
    let body = file.functions.first?.body.map(ModelText.lines) ?? "no function"
    let others = file.functions.dropFirst().map(ModelText.of) + file.variables.map(ModelText.of)
    let skipped = file.skipped.map { "!! \($0.line ?? 0)" }
    return ([body] + others + skipped).joined(separator: "\n")
  }

  /// Returns the text of an expression.
  static func expression(_ text: String, path: String = "a.m") -> String {
    let found = statements("return \(text);", path: path)
    return found.hasPrefix("return ") ? String(found.dropFirst(7)) : found
  }
}
