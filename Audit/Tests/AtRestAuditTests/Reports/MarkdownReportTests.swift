import AtRestAudit
import Testing

@Suite struct MarkdownReportTests {
  @Test func showsTheWorstFirst() throws {
    let text = MarkdownReport().text(of: Sample.report(), rules: Sample.rules)
    #expect(text.hasPrefix("### AtRest audit: 3 findings (1 high, 1 medium, 1 low)\n"))
    let high = try #require(text.range(of: "<b>high</b>"))
    let low = try #require(text.range(of: "<b>low</b>"))
    #expect(high.lowerBound < low.lowerBound)
    #expect(text.contains("A credential &lt;is&gt; logged."))
  }

  @Test func fitsIntoAComment() {
    let text = MarkdownReport().text(of: Sample.large(5000), rules: Sample.rules)
    #expect(text.utf16.count <= MarkdownReport.limit)
    #expect(text.contains("… and 4,996 more findings of this kind."))
    #expect(text.contains("<b>high</b>"))
  }

  @Test func closesNoFenceFromCode() {
    var report = AuditReport(tree: SourceTree(files: ["A.swift": "````\n# Title\n"]))
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .low, location: Sample.location("A.swift", 1, 1, 1, 2),
        message: "Here.", anchor: "")
    ]
    #expect(MarkdownReport().text(of: report, rules: []).contains("\n`````\n````\n# Title"))
  }

  @Test func hasNoMarkupFromMessages() {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .low, location: Sample.location("A.swift", 1, 1, 1, 2),
        message: "[x](http://example.org) **b** @everyone", anchor: "")
    ]
    let text = MarkdownReport().text(of: report, rules: [])
    for markup in ["[x]", "**b**", "@everyone"] { #expect(!text.contains(markup)) }
  }

  @Test func saysThatNothingIsFound() throws {
    let text = MarkdownReport().text(of: try MarkEngine.report([:]), rules: [])
    #expect(text.hasPrefix("### AtRest audit: nothing found. All files could be read.\n"))
  }
}
