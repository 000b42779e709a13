import AtRestAudit
import AtRestContainers
import Foundation
import Testing

/// The time of a row, and the exclusion of a file from backups, are in the reports.
@Suite struct RowTimeReportTests {
  private var report: AuditReport {
    var report = AuditReport(tree: SourceTree(name: "Bank", files: [:]))
    report.containers = [ContainerSummary(name: "Bank")]
    let place = Location(
      path: "Bank/a.db", start: Position(line: 1, column: 1), end: Position(line: 1, column: 1))
    report.findings = [
      Finding(
        rule: .containerCredential, severity: .high, location: place,
        message: "The table has a password.", anchor: "a",
        exhibit: Exhibit(
          locator: ["note, row 1, text"], isExcludedFromBackups: true,
          recorded: Date(timeIntervalSince1970: 1_700_000_000)))
    ]
    return report
  }

  @Test func theTimeLineHasTheRow() throws {
    let page = HTMLReport().text(of: report, rules: Rulebook.all)
    let part = try #require(page.components(separatedBy: "id=\"title-time-line\"").last)
    #expect(
      part.contains(
        "<time>2023-11-14T22:13:20Z</time> <code>Bank/a.db › note, row 1, text</code> 1 high"))
  }

  @Test func readersAndProgramsSeeBoth() {
    let text = TerminalReport().text(of: report, rules: Rulebook.all)
    #expect(text.contains("excluded from backups; row of 2023-11-14T22:13:20Z"), "\(text)")
    let json = JSONReport().text(of: report, rules: Rulebook.all)
    #expect(json.contains("\"recorded\": \"2023-11-14T22:13:20Z\""), "\(json)")
    #expect(json.contains("\"excludedFromBackups\": true"))
  }
}
