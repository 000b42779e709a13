import AtRestAudit
import Foundation
import Testing

@Suite struct SARIFReportTests {
  private func run(_ report: AuditReport, _ sarif: SARIFReport = SARIFReport()) throws
    -> [String: Any]
  {
    let json = try Sample.json(sarif.text(of: report, rules: Sample.rules))
    return try #require((json["runs"] as? [[String: Any]])?.first)
  }

  @Test(.enabled(if: Schemas.hasSARIF, "Scripts/fetch-schemas.sh brings the schema."))
  func isValid() throws {
    let schema = try SchemaChecker(Data(contentsOf: Schemas.sarif))
    for report in [Sample.report(), try MarkEngine.report([:]), Sample.large(20)] {
      let errors = try schema.errors(json: SARIFReport().text(of: report, rules: Sample.rules))
      #expect(errors.isEmpty, "\(errors.prefix(5))")
    }
  }

  @Test(.enabled(if: Schemas.hasSARIF, "Scripts/fetch-schemas.sh brings the schema."))
  func wouldNotBeValidIfAnythingWereWrong() throws {
    let schema = try SchemaChecker(Data(contentsOf: Schemas.sarif))
    let text = SARIFReport().text(of: Sample.report(), rules: Sample.rules)
    for (right, wrong) in [
      ("\"level\": \"error\"", "\"level\": \"high\""), ("\"ruleId\"", "\"rule\""),
      ("\"startLine\": 4", "\"startLine\": 0"), ("\"inSource\"", "\"comment\""),
      ("\"text\": \"Too few rounds.\"", "\"words\": \"Too few rounds.\""),
    ] {
      let changed = text.replacingOccurrences(of: right, with: wrong)
      #expect(changed != text)
      #expect(try !schema.errors(json: changed).isEmpty, "\(wrong)")
    }
  }

  @Test func hasOneResultForEachLocation() throws {
    let results = try #require(try run(Sample.report())["results"] as? [[String: Any]])
    #expect(results.count == 5)
    for result in results {
      #expect((result["locations"] as? [Any])?.count == 1)
      #expect((result["partialFingerprints"] as? [String: String])?["atrest/v1"]?.count == 64)
    }
    #expect(
      results.map { $0["baselineState"] as? String } == [
        "new", "new", "new", "unchanged", "new",
      ])
    let kinds = results.map {
      ($0["suppressions"] as? [[String: Any]])?.first?["kind"] as? String
    }
    #expect(kinds == [nil, nil, nil, "external", "inSource"])
  }

  @Test func countsColumnsInUTF16AndEncodesPaths() throws {
    let results = try #require(try run(Sample.report())["results"] as? [[String: Any]])
    let place =
      (results[1]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
    let region = try #require(place?["region"] as? [String: Int])
    #expect(region["startColumn"] == 9)
    #expect(region["endColumn"] == 22)
    let artifact = place?["artifactLocation"] as? [String: String]
    #expect(artifact == ["uri": "Sources/Log%20in.swift", "uriBaseId": "SRCROOT"])
  }

  @Test func namesRules() throws {
    let tool = try run(Sample.report())["tool"] as? [String: [String: Any]]
    let rules = try #require(tool?["driver"]?["rules"] as? [[String: Any]])
    #expect(rules.count == 4)
    let properties = try #require(rules[0]["properties"] as? [String: Any])
    #expect(properties["security-severity"] as? String == "8.0")
    #expect((properties["tags"] as? [String])?.contains("external/cwe/cwe-321") == true)
    let help = rules[0]["help"] as? [String: String]
    #expect(help?["markdown"]?.contains("```swift\nbad()\n```") == true)
  }

  @Test func saysWhatWasNotRead() throws {
    let invocation = (try run(Sample.report())["invocations"] as? [[String: Any]])?.first
    let notes = invocation?["toolExecutionNotifications"] as? [[String: Any]]
    #expect(notes?.count == 3)
  }

  @Test func keepsGitHubsLimits() throws {
    #expect(SARIFReport().limit == 25_000)
    let run = try run(Sample.large(110), SARIFReport(limit: 100))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 100)
    // The most severe finding is kept, although it was the last.
    #expect(results.contains { $0["ruleId"] as? String == "hardcoded-key" })
    let invocation = (run["invocations"] as? [[String: Any]])?.first
    let notes = invocation?["toolExecutionNotifications"] as? [[String: Any]]
    #expect(
      (notes?.last?["message"] as? [String: String])?["text"] == "10 more results are left out.")
  }

  @Test func cutsLongTextsAndTrails() throws {
    var report = AuditReport(tree: SourceTree(files: [:]))
    let place = Sample.location("A.swift", 1, 1, 1, 2)
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .low, location: place,
        message: String(repeating: "ü", count: 100_000),
        trail: (0..<500).map { .init(place, "step \($0)") }, anchor: "")
    ]
    let result = try #require((try run(report)["results"] as? [[String: Any]])?.first)
    let message = (result["message"] as? [String: String])?["text"]
    #expect(message?.unicodeScalars.count == 2048)
    let flow = (result["codeFlows"] as? [[String: Any]])?.first?["threadFlows"] as? [[String: Any]]
    #expect((flow?.first?["locations"] as? [Any])?.count == 10)
  }
}
