import AtRestAuditModel

/// The report by controls of MASVS 2 and tests of the MASTG, in Markdown: what was checked, what was
/// found, and what cannot be checked.
public struct MASVSReport: Sendable {
  public var reveal = false
  /// The rules that the audit used, or nil if it used all.
  public var used: Set<RuleID>?

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(reveal: Bool = false, used: Set<RuleID>? = nil) {
    self.reveal = reveal
    self.used = used
  }

  /// The number of findings that are listed for a control.
  private static let limit = 50

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let counts = Self.summary(of: report, rules, used)
    var output = "# MASVS report\n\n\(report.scope). "
    output += "Tests of the MASTG for iOS: \(MASVSTest.all.count). With findings: \(counts.found), "
    output += "without: \(counts.clean), not checked: \(counts.unchecked).\n"
    output += "\nA test without findings is no proof: "
    output +=
      report.hasSources
      ? "the code was read, and the app did not run.\n"
      : "what the app left was searched, and the code was not read.\n"
    var covered: Set<Finding> = []
    for control in MASVSControl.allCases {
      let (rows, findings) = Self.rows(of: control, in: report, rules, used)
      covered.formUnion(findings)
      output += "\n## \(control.rawValue): \(control.title)\n\n"
      output += "Verdict: \(Self.verdict(rows.map(\.result), findings, report)).\n\n"
      output += "| test | looks for | result |\n| --- | --- | --- |\n"
      for (test, result) in rows {
        output += "| \(test.id) | \(test.subject) | \(result.text(in: report)) |\n"
      }
      output += list(findings, lines)
    }
    let rest = report.findings.filter { !covered.contains($0) }
    if !rest.isEmpty { output += "\n## Findings that no test covers\n" + list(rest, lines) }
    if !report.skipped.isEmpty {
      output += "\nNot read: \(Display.count(report.skipped.count, "file or part of a file")).\n"
    }
    let left = report.leftOutByReason
    if !left.isEmpty {
      output += "\nLeft out on purpose: \(left.map(Self.escaped).joined(separator: ", ")).\n"
    }
    return output
  }

  private func list(_ findings: [Finding], _ lines: SourceLines) -> String {
    guard !findings.isEmpty else { return "" }
    var output = "\n"
    for finding in findings.prefix(Self.limit) {
      let place =
        finding.exhibit == nil
        ? "\(finding.location.path):\(finding.location.start.line)"
        : lines.placeWithPath(of: finding)
      let message = Display.cut(Display.safe(lines.masked(finding.message, of: finding)), 500)
      output += "- \(finding.severity.rawValue) \(finding.rule.rawValue) "
      output += "\(Self.escaped(Display.cut(Display.safe(place), 300))): \(Self.escaped(message))\n"
    }
    let more = findings.count - Self.limit
    if more > 0 { output += "- … and \(Display.count(more, "more finding"))\n" }
    return output
  }

  /// The tests of a control with their results, and the findings of all of them.
  static func rows(
    of control: MASVSControl, in report: AuditReport, _ rules: [Rule], _ used: Set<RuleID>?
  ) -> (rows: [(test: MASVSTest, result: MASVSResult)], findings: [Finding]) {
    var rows: [(MASVSTest, MASVSResult)] = []
    var own: Set<Finding> = []
    for test in MASVSTest.all where test.control == control {
      let result = MASVSResult(of: test, in: report, rules) { used?.contains($0) ?? true }
      rows.append((test, result))
      if case .found(let findings) = result { own.formUnion(findings) }
    }
    return (rows, report.findings.filter(own.contains))
  }

  /// The verdict on a control, by the results of its tests: `does not hold: 2 high`.
  private static func verdict(
    _ results: [MASVSResult], _ findings: [Finding], _ report: AuditReport
  ) -> String {
    guard findings.isEmpty else {
      let isNote = findings.allSatisfy { $0.severity == .note }
      return (isNote ? "to be looked at: " : "does not hold: ") + report.severities(of: findings)
    }
    let clean = results.count { if case .clean = $0 { true } else { false } }
    guard clean > 0 else { return "not checked" }
    return "nothing found in \(clean) of \(Display.count(results.count, "test"))"
  }

  static func summary(
    of report: AuditReport, _ rules: [Rule], _ used: Set<RuleID>?
  ) -> (found: Int, clean: Int, unchecked: Int) {
    var counts = (found: 0, clean: 0, unchecked: 0)
    for test in MASVSTest.all {
      switch MASVSResult(of: test, in: report, rules, isUsed: { used?.contains($0) ?? true }) {
      case .found: counts.found += 1
      case .clean: counts.clean += 1
      case .unchecked: counts.unchecked += 1
      }
    }
    return counts
  }

  /// Escapes text so that nothing in it is markup.
  private static func escaped(_ text: String) -> String {
    XMLText.escaped(text).map { "*[]`~|!\\#".contains($0) && $0 != "#" ? "\\\($0)" : String($0) }
      .joined()
  }
}
