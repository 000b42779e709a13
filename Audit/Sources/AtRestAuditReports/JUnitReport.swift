import AtRestAuditModel
import AtRestFormats
import Foundation

/// The report as JUnit XML. Each finding is a test case, which fails if the finding makes the audit
/// fail.
public struct JUnitReport: Sendable {
  /// The least severity that makes a test fail. Findings below it are skipped tests. With nil, no
  /// test fails.
  public var failOn: Severity?
  /// True if a file that could not be read is an error, false if it is a skipped test.
  public var isStrict = false
  public var reveal = false

  /// Creates the writer of the report. Secrets are masked unless `reveal` is true.
  public init(failOn: Severity? = .medium, isStrict: Bool = false, reveal: Bool = false) {
    self.failOn = failOn
    self.isStrict = isStrict
    self.reveal = reveal
  }

  public func text(of report: AuditReport, rules: [Rule]) -> String {
    let lines = SourceLines(report.bounded, reveal: reveal)
    let report = lines.report
    let rules = RuleIndex(rules)
    var cases = ""
    var counts = (tests: 0, failures: 0, errors: 0, skipped: 0)
    for finding in report.findings {
      counts.tests += 1
      let place = lines.place(of: finding)
      let message = XMLText.escaped(Display.safe(lines.masked(finding.message, of: finding)))
      cases += testCase(
        finding.location.path, place.isEmpty ? finding.rule.rawValue : "\(finding.rule) at \(place)"
      )
      if let failOn, finding.severity >= failOn {
        counts.failures += 1
        var body = "\(lines.placeWithPath(of: finding))\n"
        if let exhibit = finding.exhibit {
          body += lines.quoted(finding).map { "\($0)\n" }.joined()
          if !exhibit.circumstances.isEmpty { body += "\(exhibit.circumstances)\n" }
        } else {
          body += lines.code(at: finding.location).map { "\($0)\n" } ?? ""
        }
        for reason in lines.reasons(for: finding) { body += "\(reason.label) \(reason.text)\n" }
        if let rule = rules[finding.rule] { body += "\(rule.consequence)\n\(rule.remedy)\n" }
        cases += "      <failure message=\"\(message)\" type=\"\(finding.severity.rawValue)\">"
        cases += "\(XMLText.escaped(body))</failure>\n"
      } else {
        counts.skipped += 1
        cases += "      <skipped message=\"\(finding.severity.rawValue): \(message)\"/>\n"
      }
      cases += "    </testcase>\n"
    }
    for skip in report.skipped {
      counts.tests += 1
      if isStrict { counts.errors += 1 } else { counts.skipped += 1 }
      let place = skip.line.map { "not read at line \($0)" } ?? "not read"
      cases += testCase(skip.path, place)
      cases += "      <\(isStrict ? "error" : "skipped") "
      cases += "message=\"\(XMLText.escaped(Display.safe(skip.reason)))\"/>\n    </testcase>\n"
    }
    if counts.tests == 0 {
      counts.tests = 1
      cases = "    <testcase classname=\"atrest-audit\" name=\"nothing found\"/>\n"
    }
    let seconds = String(format: "%.3f", report.statistics.seconds)
    let totals = """
      tests="\(counts.tests)" failures="\(counts.failures)" errors="\(counts.errors)" \
      skipped="\(counts.skipped)" time="\(seconds)"
      """
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="atrest-audit" \(totals)>
        <testsuite name="\(XMLText.escaped(report.tree.name))" \(totals)>
      \(cases)  </testsuite>
      </testsuites>

      """
  }

  private func testCase(_ path: String, _ name: String) -> String {
    """
        <testcase classname="\(XMLText.escaped(path))" name="\(XMLText.escaped(name))" \
    file="\(XMLText.escaped(path))">

    """
  }
}
