import AtRestAudit
import Foundation
import Testing

@Suite struct GitLabReportTests {
  private let report = GitLabReport(date: Date(timeIntervalSince1970: 1_800_000_000))

  @Test func hasWhatGitLabRequires() throws {
    let json = try Sample.json(report.text(of: Sample.report(), rules: Sample.rules))
    #expect((json["version"] as? String)?.hasPrefix("15.") == true)
    let scan = try #require(json["scan"] as? [String: Any])
    #expect(scan["type"] as? String == "sast")
    #expect(scan["status"] as? String == "success")
    #expect(scan["end_time"] as? String == "2027-01-15T08:00:00")
    for tool in ["analyzer", "scanner"] {
      let tool = try #require(scan[tool] as? [String: Any])
      #expect(Set(tool.keys) == ["id", "name", "version", "vendor"])
    }
    let findings = try #require(json["vulnerabilities"] as? [[String: Any]])
    #expect(findings.count == 3)
    #expect(findings.compactMap { $0["severity"] as? String } == ["High", "Medium", "Low"])
    for finding in findings {
      let id = try #require(finding["id"] as? String)
      #expect(UUID(uuidString: id) != nil)
      #expect((finding["identifiers"] as? [[String: Any]])?.isEmpty == false)
      #expect((finding["location"] as? [String: Any])?["file"] is String)
    }
    #expect(Set(findings.compactMap { $0["id"] as? String }).count == 3)
    #expect((scan["messages"] as? [Any])?.count == 2)
  }

  @Test func isTheSameForTheSame() {
    let text = report.text(of: Sample.report(), rules: Sample.rules)
    #expect(report.text(of: Sample.report(), rules: Sample.rules) == text)
  }
}
