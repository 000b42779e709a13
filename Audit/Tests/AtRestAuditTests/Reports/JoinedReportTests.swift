import AtRestAudit
import Foundation
import Testing

/// Joined findings in each report format.
@Suite struct JoinedReportTests {
  private let report: AuditReport

  init() throws { report = try JoinedSample.report() }

  /// Returns the number of the only finding of a rule, or of the one that names a key.
  private func number(_ rule: RuleID, _ key: String? = nil) throws -> Int {
    let index = report.findings.firstIndex {
      $0.rule == rule && (key == nil || $0.exhibit?.locator == [key ?? ""])
    }
    return try #require(index) + 1
  }

  @Test func comesFirstOnATerminal() throws {
    let text = TerminalReport().text(of: report, rules: Rulebook.all)
    let joined = try #require(text.range(of: "Stored by the code and found in a container\n\n"))
    let login = try #require(text.range(of: "  high  preference “loginPassword”  ["))
    let other = try #require(text.range(of: "log-sensitive"))
    #expect(joined.upperBound < login.lowerBound)
    #expect(login.upperBound < other.lowerBound)
    #expect(
      text.contains(
        """
          stored at App/Login.swift:3:3
            2 |   UserDefaults.standard.set(password, forKey: "loginPassword")
            3 |   UserDefaults.standard.set(draft, forKey: "draft")
              |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
            4 |   print(password)
          found in Bank/\(JoinedSample.list) › draft
            The canary “note” is stored as typed, under “draft”.
            | vi…(17)
        """))
    // Each finding is shown once.
    #expect(text.components(separatedBy: "[\(try number("userdefaults-sensitive"))]").count == 2)
    #expect(!text.contains(JoinedSample.canary))
  }

  @Test func isAFieldOfItsOwnInJSON() throws {
    let text = JSONReport().text(of: report, rules: Rulebook.all)
    #expect(try Schemas.own("atrest-audit-report.schema.json").errors(json: text).isEmpty)
    let joined = try #require(Sample.json(text)["joined"] as? [[String: Any]])
    #expect(joined.count == 2)
    let login = try #require(
      joined.first {
        ($0["slot"] as? [String: Any])?["names"] as? [String] == ["loginPassword"]
      })
    #expect((login["slot"] as? [String: Any])?["kind"] as? String == "preference")
    #expect(login["code"] as? [Int] == [try number("userdefaults-sensitive")])
    #expect(login["found"] as? [Int] == [try number("container-canary", "loginPassword")])
    let place = (login["stored"] as? [[String: Any]])?.first
    #expect(place?["path"] as? String == "App/Login.swift")
  }

  @Test func relatesBothSidesInSARIF() throws {
    let json = try Sample.json(SARIFReport().text(of: report, rules: Rulebook.all))
    let run = (json["runs"] as? [[String: Any]])?.first
    let results = try #require(run?["results"] as? [[String: Any]])
    func uri(_ result: [String: Any]) -> String? {
      let related = (result["relatedLocations"] as? [[String: Any]])?.first
      let physical = related?["physicalLocation"] as? [String: Any]
      return (physical?["artifactLocation"] as? [String: Any])?["uri"] as? String
    }
    #expect(
      uri(results[try number("userdefaults-sensitive") - 1]) == "Bank/\(JoinedSample.list)")
    #expect(uri(results[try number("container-canary", "draft") - 1]) == "App/Login.swift")
    #expect(results[try number("container-canary", "other") - 1]["relatedLocations"] == nil)
    #expect(results[try number("log-sensitive") - 1]["relatedLocations"] == nil)
  }

  @Test(.enabled(if: Schemas.hasSARIF, "Scripts/fetch-schemas.sh brings the schema."))
  func isValidSARIF() throws {
    let schema = try SchemaChecker(Data(contentsOf: Schemas.sarif))
    #expect(try schema.errors(json: SARIFReport().text(of: report, rules: Rulebook.all)).isEmpty)
  }

  @Test func isTheFirstPartOfThePage() throws {
    let text = HTMLReport().text(of: report, rules: Rulebook.all)
    let joined = try #require(text.range(of: "<section id=\"joined\""))
    let findings = try #require(text.range(of: "<section id=\"findings\""))
    #expect(joined.upperBound < findings.lowerBound)
    #expect(text.components(separatedBy: "<article ").count == report.findings.count + 1)
    #expect(text.contains("Stored by the code"))
    #expect(!text.contains(JoinedSample.canary))
  }

  @Test func isListedInMarkdown() {
    let text = MarkdownReport().text(of: report, rules: Rulebook.all)
    #expect(
      text.contains("preference “loginPassword”: stored at <code>App/Login.swift:2</code>, found"))
  }

  @Test func isLeftOutIfThereIsNone() throws {
    let report = ContainerSample.report()
    #expect(!TerminalReport().text(of: report, rules: []).contains("Stored by the code"))
    #expect(!HTMLReport().text(of: report, rules: []).contains("id=\"joined\""))
  }
}
