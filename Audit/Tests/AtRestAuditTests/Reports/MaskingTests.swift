import AtRestAudit
import Foundation
import Testing

@Suite struct MaskingTests {
  private static let secret = "hunter2-hunter2"

  private func texts(_ report: AuditReport, reveal: Bool) -> [String: String] {
    let rules = Sample.rules
    return [
      "terminal": TerminalReport(reveal: reveal).text(of: report, rules: rules),
      "json": JSONReport(reveal: reveal).text(of: report, rules: rules),
      "sarif": SARIFReport(reveal: reveal).text(of: report, rules: rules),
      "junit": JUnitReport(failOn: .note, reveal: reveal).text(of: report, rules: rules),
      "gitlab": GitLabReport(reveal: reveal).text(of: report, rules: rules),
      "markdown": MarkdownReport(reveal: reveal).text(of: report, rules: rules),
      "html": HTMLReport(reveal: reveal).text(of: report, rules: rules),
    ]
  }

  private func report(
    _ path: String, _ text: String, _ start: (Int, Int), _ end: (Int, Int),
    trail: [Finding.Step] = [], files: [String: String] = [:]
  ) -> AuditReport {
    var report = AuditReport(tree: SourceTree(files: files.merging([path: text]) { $1 }))
    report.findings = [
      Finding(
        rule: "hardcoded-key", severity: .high,
        location: Sample.location(path, start.0, start.1, end.0, end.1),
        message: "The key \(Self.secret) is in code.", trail: trail, anchor: "key")
    ]
    return report
  }

  private func expectMasked(
    _ report: AuditReport, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2"), "\(format)", sourceLocation: sourceLocation)
    }
    for (format, text) in texts(report, reveal: true) {
      #expect(text.contains(Self.secret), "\(format)", sourceLocation: sourceLocation)
    }
  }

  @Test func hidesALiteral() {
    expectMasked(report("A.swift", "let key = \"\(Self.secret)\"", (1, 11), (1, 28)))
  }

  @Test func hidesALiteralOfWhichTheNameIsPointedAt() {
    expectMasked(report("A.m", "key = @\"\(Self.secret)\";", (1, 1), (1, 4)))
  }

  @Test func hidesALiteralOfSeveralLines() {
    expectMasked(
      report(
        "A.swift", "let key = \"\"\"\n  \(Self.secret)\n  hunter2\n  \"\"\"\n", (1, 1), (4, 6)))
  }

  @Test func hidesWhatStandsInAPropertyList() {
    expectMasked(
      report("A.plist", "<key>k</key>\n<string>\(Self.secret)</string>", (2, 1), (2, 33)))
  }

  @Test func hidesWhatStandsInBuildSettings() {
    expectMasked(report("A.xcconfig", "KEY = \(Self.secret)", (1, 1), (1, 22)))
  }

  @Test func hidesWhereTheTrailBegins() {
    let step = Finding.Step(
      Sample.location("Keys.swift", 1, 5, 1, 8), "the constant \(Self.secret)")
    expectMasked(
      report(
        "A.swift", "use(Keys.key)", (1, 1), (1, 14), trail: [step],
        files: ["Keys.swift": "let key = \"\(Self.secret)\""]))
  }

  @Test func hidesItWhereAnotherFindingShowsIt() {
    var report = report("A.swift", "let key = \"\(Self.secret)\"\nlog(key)", (1, 11), (1, 28))
    report.suppressed = [.init(finding: report.findings[0], reason: "ok", line: 1)]
    report.findings = [
      Finding(
        rule: "log-sensitive", severity: .medium, location: Sample.location("A.swift", 2, 1, 2, 9),
        message: "Logged.", anchor: "log")
    ]
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2"), "\(format)")
    }
  }

  @Test func showsNothingOfAShortOne() {
    var report = report("A.swift", "let pin = \"1234\"", (1, 11), (1, 17))
    report.findings = report.findings.map {
      Finding(
        rule: $0.rule, severity: .high, location: $0.location, message: "A PIN.", anchor: "")
    }
    let text = TerminalReport().text(of: report, rules: Sample.rules)
    #expect(text.contains("let pin = \"…(4)\""))
  }

  @Test func leavesOtherLiteralsAsTheyAre() {
    let text = TerminalReport().text(
      of: report("A.swift", "f(\"other\", \"\(Self.secret)\")", (1, 12), (1, 29)),
      rules: Sample.rules)
    #expect(text.contains("f(\"other\", \"hu…(15)\")"))
  }
}
