import AtRestAudit
import Foundation
import Testing

@Suite struct JSONReportTests {
  @Test func isValid() throws {
    let schema = try Schemas.own("atrest-audit-report.schema.json")
    let reports = [Sample.report(), try MarkEngine.report([:]), Sample.large(10)]
    for report in reports {
      let text = JSONReport().text(of: report, rules: Sample.rules)
      #expect(try schema.errors(json: text).isEmpty)
    }
  }

  @Test func tellsAll() throws {
    let json = try Sample.json(JSONReport().text(of: Sample.report(), rules: Sample.rules))
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(findings.count == 3)
    #expect(findings[1]["code"] as? String == "/* é */ log(password)")
    #expect(findings[2]["code"] == nil)
    #expect((findings[1]["trail"] as? [Any])?.count == 1)
    let suppressed = try #require((json["suppressed"] as? [[String: Any]])?.first)
    #expect(suppressed["reason"] as? String == "A demo & no more.")
    #expect((json["rules"] as? [Any])?.count == 4)
    #expect((json["checklist"] as? [Any])?.count == Checklist.all.count)
  }

  @Test func hasTheFingerprintsOfTheBaseline() throws {
    let report = Sample.report()
    let json = try Sample.json(JSONReport().text(of: report, rules: Sample.rules))
    let written = (json["findings"] as? [[String: Any]])?.compactMap {
      $0["fingerprint"] as? String
    }
    let baseline = Baseline(report).findings.map(\.fingerprint)
    #expect(Set(written ?? []).isSubset(of: baseline))
  }

  @Test func writesTheRulebook() throws {
    let json = try Sample.json(JSONReport.text(of: Sample.rules))
    #expect((json["rules"] as? [[String: Any]])?.first?["id"] as? String == "hardcoded-key")
  }
}
