import AtRestAudit
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct JUnitReportTests {
  private func document(_ text: String) throws -> XMLDocument {
    try XMLDocument(xmlString: text)
  }

  @Test func failsWhatFailsTheAudit() throws {
    let text = JUnitReport(failOn: .medium).text(of: Sample.report(), rules: Sample.rules)
    let document = try document(text)
    #expect(try document.nodes(forXPath: "//testcase").count == 5)
    #expect(try document.nodes(forXPath: "//failure").count == 2)
    #expect(try document.nodes(forXPath: "//skipped").count == 3)
    let root = try #require(document.rootElement())
    #expect(root.attribute(forName: "failures")?.stringValue == "2")
    #expect(root.attribute(forName: "tests")?.stringValue == "5")
    #expect(root.attribute(forName: "skipped")?.stringValue == "3")
    #expect(
      try document.nodes(forXPath: "//failure[2]/@message | //testcase[2]/failure/@message").first?
        .stringValue == "A credential <is> logged.")
  }

  @Test func makesErrorsOfWhatWasNotReadIfStrict() throws {
    let text = JUnitReport(failOn: nil, isStrict: true).text(
      of: Sample.report(), rules: Sample.rules)
    let document = try document(text)
    #expect(try document.nodes(forXPath: "//error").count == 2)
    #expect(try document.nodes(forXPath: "//failure").isEmpty)
  }

  @Test func hasATestIfNothingIsFound() throws {
    let text = JUnitReport().text(of: try MarkEngine.report([:]), rules: Sample.rules)
    #expect(try document(text).nodes(forXPath: "//testcase").count == 1)
  }

  @Test func isXMLWhateverStandsInTheCode() throws {
    var report = AuditReport(tree: SourceTree(name: "\u{0}<", files: ["A": "\u{1}]]>\u{FFFF}<"]))
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .high, location: Sample.location("A", 1, 1, 1, 2),
        message: "\u{8}<&\"'>", anchor: "")
    ]
    _ = try document(JUnitReport().text(of: report, rules: Sample.rules))
  }
}
