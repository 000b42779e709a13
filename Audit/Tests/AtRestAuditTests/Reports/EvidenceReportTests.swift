import AtRestAudit
import Testing

/// Each report says what a finding rests on.
@Suite struct EvidenceReportTests {
  private static func report() -> AuditReport {
    var report = AuditReport(tree: SourceTree(files: ["A.swift": "a\nb\nc\n"]))
    report.findings = [
      Finding(
        rule: "log-sensitive", severity: .high, location: Sample.location("A.swift", 1, 1, 1, 2),
        message: "A token is logged.", anchor: "a",
        basis: Basis(
          .witnessed,
          witnesses: [
            .init(Sample.location("A.swift", 2, 1, 2, 2), "is sent in the header Authorization")
          ]), places: [Sample.location("A.swift", 3, 1, 3, 2)])
    ]
    return report
  }

  @Test func inEveryFormatForPeople() {
    let report = Self.report()
    let texts = [
      TerminalReport().text(of: report, rules: Sample.rules),
      MarkdownReport().text(of: report, rules: Sample.rules),
      HTMLReport().text(of: report, rules: Sample.rules),
      GitLabReport().text(of: report, rules: Sample.rules),
      JUnitReport(failOn: .note).text(of: report, rules: Sample.rules),
    ]
    for text in texts {
      #expect(text.contains("is sent in the header Authorization"))
      #expect(text.contains("A.swift:3"))
    }
  }

  @Test func inJSON() throws {
    let text = JSONReport().text(of: Self.report(), rules: Sample.rules)
    let schema = try Schemas.own("atrest-audit-report.schema.json")
    #expect(try schema.errors(json: text).isEmpty)
    let json = try Sample.json(text)
    let finding = try #require((json["findings"] as? [[String: Any]])?.first)
    let evidence = try #require(finding["evidence"] as? [String: Any])
    #expect(evidence["tier"] as? String == "B")
    #expect((evidence["witnesses"] as? [Any])?.count == 1)
    #expect((finding["places"] as? [Any])?.count == 1)
  }

  @Test func inSARIF() throws {
    let text = SARIFReport().text(of: Self.report(), rules: Sample.rules)
    let run = try #require((try Sample.json(text)["runs"] as? [[String: Any]])?.first)
    let result = try #require((run["results"] as? [[String: Any]])?.first)
    #expect(result["rank"] as? Double == 80)
    #expect((result["relatedLocations"] as? [Any])?.count == 2)
  }
}
