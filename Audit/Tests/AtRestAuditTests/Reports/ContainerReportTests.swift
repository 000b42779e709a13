import AtRestAudit
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The contents of containers in each report format.
@Suite struct ContainerReportTests {
  private let report = ContainerSample.report()
  private let rules = ContainerSample.rules

  private func of(_ locator: String) throws -> Int {
    try #require(report.findings.firstIndex { $0.exhibit?.locator.contains(locator) == true })
  }

  @Test func showsTextOnATerminal() throws {
    let text = TerminalReport().text(of: report, rules: rules)
    #expect(
      text.contains(
        """
        Library/Caches/com.example.bank/Cache.db › cfurl_cache_receiver_data, row 7, receiver_data › \
        gzip › accounts[0].session.token

          › cfurl_cache_receiver_data, row 7, receiver_data › gzip › accounts[0].session.token  \
        medium  log-sensitive  [\(try of("gzip") + 1)]
          A token lies in a cached response.
            | {"id":7,"token":"ey…(50)","expires":1799999999}
            data protection class NSFileProtectionCompleteUntilFirstUserAuthentication

        """))
  }

  @Test func showsBytesOnATerminal() {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = [
      ContainerSample.finding(
        "weak-kdf", .low, "A.db", ["byte 9"], "Here.",
        Exhibit.Excerpt(
          bytes: Array("0123456789secret-Z\n".utf8), secrets: [10..<17], offset: 4096,
          isText: false), isDeleted: true, protection: nil)
    ]
    #expect(
      TerminalReport(quiet: true).text(of: report, rules: []) == """
        A.db › byte 9

          › byte 9  low  weak-kdf  [1]
          Here.
            00001000  30 31 32 33 34 35 36 37 38 39 ·· ·· ·· ·· ·· ··  0123456789······
            00001010  ·· 5a 0a                                         ·Z.
            data deleted, still readable


        """)
    #expect(
      TerminalReport(reveal: true, quiet: true).text(of: report, rules: [])
        .contains("73 65 63 72 65 74  0123456789secret"))
  }

  @Test func saysWhatWasOpened() {
    let text = TerminalReport().text(of: report, rules: rules)
    #expect(
      text.contains(
        """
        2 files read, 1,206 lines of Swift; 2 containers opened, 28 files, in 0.25 s.
        Bank: 26 files, 8.0 MB, 18,204 values; 2 plaintext, 1 encoded, 21 compressed, \
        1 encrypted, 1 unknown; 4 snapshots.
        Bank.ipa: 2 files, 3.4 MB, 96 values; 2 plaintext.

        """))
    #expect(text.contains("Bank.ipa/Payload/Bank.app/Assets.car: not read. No reader"))
  }

  @Test func isValidJSON() throws {
    let schema = try Schemas.own("atrest-audit-report.schema.json")
    let text = JSONReport().text(of: report, rules: rules)
    #expect(try schema.errors(json: text).isEmpty)
    let json = try Sample.json(text)
    let findings = try #require(json["findings"] as? [[String: Any]])
    let exhibit = try #require(
      findings[try of("ZUSER, row 2, ZPASSWORD")]["exhibit"] as? [String: Any])
    #expect(exhibit["locator"] as? [String] == ["ZUSER, row 2, ZPASSWORD"])
    #expect(exhibit["deleted"] as? Bool == false)
    let excerpt = try #require(exhibit["excerpt"] as? [String: Any])
    #expect(
      excerpt["text"] as? String == "ada@example.org\nTr…(17)\nLondon; the same: Tr…(17)")
    let bytes = findings[try of("ZUSER, row 3, ZPASSWORD")]["exhibit"] as? [String: Any]
    #expect(bytes?["deleted"] as? Bool == true)
    #expect((bytes?["excerpt"] as? [String: Any])?["offset"] as? Int == 12_305)
    let hex = (bytes?["excerpt"] as? [String: Any])?["hex"] as? String
    #expect(hex?.contains(" ·· ·· ") == true)
    let containers = try #require(json["containers"] as? [[String: Any]])
    #expect(containers.map { $0["name"] as? String } == ["Bank", "Bank.ipa"])
    #expect((containers[0]["files"] as? [Any])?.count == 26)
    let snapshot = (containers[0]["snapshots"] as? [[String: Any]])?.first
    #expect(snapshot.map { Set($0.keys) } == ["path", "mediaType"])
  }

  @Test(.enabled(if: Schemas.hasSARIF, "Scripts/fetch-schemas.sh brings the schema."))
  func isValidSARIF() throws {
    let schema = try SchemaChecker(Data(contentsOf: Schemas.sarif))
    #expect(try schema.errors(json: SARIFReport().text(of: report, rules: rules)).isEmpty)
  }

  @Test func hasLogicalLocationsInSARIF() throws {
    let json = try Sample.json(SARIFReport().text(of: report, rules: rules))
    let run = (json["runs"] as? [[String: Any]])?.first
    let results = try #require(run?["results"] as? [[String: Any]])
    let result = results[try of("ZUSER, row 3, ZPASSWORD")]
    let location = try #require((result["locations"] as? [[String: Any]])?.first)
    let name = "\(ContainerSample.database) › ZUSER, row 3, ZPASSWORD"
    #expect(location["logicalLocations"] as? [[String: String]] == [["fullyQualifiedName": name]])
    let physical = location["physicalLocation"] as? [String: Any]
    #expect(
      physical?["region"] as? [String: Int]
        == ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1])
    #expect(
      (result["message"] as? [String: String])?["text"]
        == "A password was deleted and lies there still. In ZUSER, row 3, ZPASSWORD.")
    #expect((result["properties"] as? [String: Any])?["deleted"] as? Bool == true)
  }

  @Test func namesThePlaceInJUnit() throws {
    let text = JUnitReport(failOn: .note).text(of: report, rules: rules)
    let document = try XMLDocument(xmlString: text)
    let place = "ZUSER, row 2, ZPASSWORD"
    let nodes = try document.nodes(forXPath: "//testcase[contains(@name, '\(place)')]/failure")
    let failure = try #require(nodes.first?.stringValue)
    #expect(failure.hasPrefix("\(ContainerSample.database) › \(place)\nada@example.org\nTr…(17)\n"))
  }

  @Test func namesThePlaceInGitLab() throws {
    let json = try Sample.json(GitLabReport().text(of: report, rules: rules))
    let findings = try #require(json["vulnerabilities"] as? [[String: Any]])
    let finding = findings[try of("ZUSER, row 3, ZPASSWORD")]
    #expect(finding["location"] as? [String: String] == ["file": ContainerSample.database])
    let description = try #require(finding["description"] as? String)
    #expect(description.contains("\n\nIn \(ContainerSample.database) › ZUSER, row 3, ZPASSWORD"))
    #expect(description.contains("deleted, still readable"))
  }

  @Test func namesThePlaceInMarkdown() {
    let text = MarkdownReport().text(of: report, rules: rules)
    #expect(text.contains("<code>\(ContainerSample.database) › ZUSER, row 2, ZPASSWORD</code>"))
    #expect(text.contains("```\nada@example.org\nTr…(17)\n"))
    #expect(text.contains("Data: deleted, still readable; protection class"))
  }

  @Test func isOnePageOfAllWithoutSecrets() {
    let text = HTMLReport().text(of: report, rules: rules)
    #expect(text.components(separatedBy: "<article ").count == report.findings.count + 1)
    for secret in ContainerSample.secrets { #expect(!text.contains(secret)) }
    #expect(text.contains("Library/&lt;b&gt;odd&lt;/b&gt;.json"))
    #expect(text.contains("img-src data:;"))
    #expect(text.components(separatedBy: "<img ").count == 4)
    let revealed = HTMLReport(reveal: true).text(of: report, rules: rules)
    for secret in ContainerSample.secrets { #expect(revealed.contains(secret)) }
    #expect(revealed.contains("This page shows secrets unmasked."))
  }

  @Test func showsNoImageThatCouldBeMore() throws {
    var report = report
    report.containers[0].snapshots = [
      .init(path: "a.svg", image: Array("<svg/>".utf8), mediaType: "image/svg+xml"),
      .init(path: "b", image: [1], mediaType: "image/png\" onerror=\"x"),
    ]
    let text = HTMLReport().text(of: report, rules: rules)
    #expect(!text.contains("<img "))
    #expect(!text.contains("onerror"))
    #expect(text.contains("Browsers cannot show this format."))
  }
}
