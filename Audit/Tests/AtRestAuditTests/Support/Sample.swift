import AtRestAudit
import Foundation

/// A report that has a little of everything.
enum Sample {
  static let rules = MarkEngine.rules

  static let login = """
    import UIKit

    // Überall gültig: the é before the call moves columns.
    let apiKey = "sk_live_0123456789abcdef"
    /* é */ log(password)
    \tlog("\u{1B}[31m<b>&'\u{202E}")
    """

  static func report() -> AuditReport {
    var report = AuditReport(
      tree: SourceTree(name: "Bank <App>", files: ["Sources/Log in.swift": login]))
    let path = "Sources/Log in.swift"
    let origin = location(path, 4, 5, 4, 40)
    report.findings = [
      Finding(
        rule: "hardcoded-key", severity: .high, location: origin,
        message: "The key \"sk_live_0123456789abcdef\" stands in code.",
        anchor: "let apiKey", secrets: [.init("sk_live_0123456789abcdef", at: origin)]),
      Finding(
        rule: "log-sensitive", severity: .medium, location: location(path, 5, 10, 5, 23),
        message: "A credential <is> logged.",
        trail: [.init(origin, "the key")], anchor: "log(password)"),
      Finding(
        rule: "weak-kdf", severity: .low, location: location("Gone.swift", 1, 1, 1, 1),
        message: "Too few rounds.", anchor: "kdf"),
    ]
    report.suppressed = [
      .init(
        finding: Finding(
          rule: "log-sensitive", severity: .medium, location: location(path, 6, 2, 6, 10),
          message: "Another one.", anchor: "log"),
        reason: "A demo & no more.", line: 6)
    ]
    report.known = [
      Finding(
        rule: "ipc-inventory", severity: .note, location: location(path, 1, 1, 1, 13),
        message: "Known.", anchor: "import")
    ]
    report.mended = [
      .init(
        rule: "weak-kdf", path: "Old.swift", fingerprint: String(repeating: "a", count: 64),
        anchor: "b")
    ]
    report.unusedSuppressions = [.init(path: path, line: 2, why: "It names no rule.")]
    report.skipped = [
      Skip(path: "Broken.xib", reason: "No XML."), Skip(path: path, line: 3, reason: "Too deep."),
    ]
    report.leftOut = [
      .init(reason: .vendored, path: "Pods/"), .init(reason: .tests, path: "ATests.swift"),
    ]
    report.checklist = Checklist.answers(Settings())
    report.statistics.files = 2
    report.statistics.swiftLines = 1206
    report.statistics.seconds = 0.25
    return report
  }

  /// Returns a report with this many findings in one file.
  static func large(_ count: Int, severity: Severity = .low) -> AuditReport {
    var report = AuditReport(tree: SourceTree(files: ["A.swift": "let a = 1\n"]))
    report.findings = (0..<count).map { number in
      Finding(
        rule: number == count - 1 ? "hardcoded-key" : "weak-kdf",
        severity: number == count - 1 ? .high : severity,
        location: location("A.swift", number + 1, 1, number + 1, 2),
        message: "Finding \(number).", anchor: "a")
    }
    return report
  }

  static func location(
    _ path: String, _ line: Int, _ column: Int, _ endLine: Int, _ endColumn: Int
  ) -> Location {
    Location(
      path: path, start: Position(line: line, column: column),
      end: Position(line: endLine, column: endColumn))
  }

  static func json(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
