import AtRestAudit
import Testing

@Suite struct SuppressionTests {
  private func whys(_ report: AuditReport) -> [String] {
    report.unusedSuppressions.map { "\($0.line): \($0.why)" }
  }

  @Test func speaksOfItsLineAfterCode() throws {
    let report = try MarkEngine.report([
      "A.swift": """
      FIND(log-sensitive) // atrest:ignore log-sensitive a demo
      FIND(log-sensitive)
      """
    ])
    #expect(report.suppressed.map(\.reason) == ["a demo"])
    #expect(report.findings.map(\.location.start.line) == [2])
    #expect(report.unusedSuppressions.isEmpty)
  }

  @Test func speaksOfTheNextLineOfCodeOtherwise() throws {
    let report = try MarkEngine.report([
      "A.swift": """
      // atrest:ignore log-sensitive, weak-kdf - a demo
      // atrest:ignore hardcoded-key of no worth

      // What follows is odd.
      FIND(log-sensitive) FIND(weak-kdf) FIND(hardcoded-key)
      FIND(log-sensitive)
      """
    ])
    #expect(report.suppressed.map(\.finding.location.start.line) == [5, 5, 5])
    #expect(report.suppressed.map(\.reason) == ["a demo", "a demo", "of no worth"])
    #expect(report.suppressed.map(\.line) == [1, 1, 2])
    #expect(report.findings.map(\.location.start.line) == [6])
  }

  @Test func goesOverCommentsToTheNextLineOfCode() throws {
    let report = try MarkEngine.report([
      "A.m": """
      // atrest:ignore log-sensitive a demo
      /* of
       * several lines
       */
      *log = FIND(log-sensitive)
      // atrest:ignore log-sensitive a demo
      /* first */ FIND(log-sensitive)
      """
    ])
    #expect(report.suppressed.map(\.finding.location.start.line) == [5, 7])
  }

  @Test func speaksOfABlock() throws {
    let report = try MarkEngine.report([
      "A.swift": """
      FIND(log-sensitive)
      // atrest:ignore-begin log-sensitive a demo
      FIND(log-sensitive) FIND(weak-kdf)
      FIND(log-sensitive)
      // atrest:ignore-end log-sensitive
      FIND(log-sensitive)
      """
    ])
    #expect(report.suppressed.map(\.finding.location.start.line) == [3, 4])
    #expect(report.findings.map(\.location.start.line).sorted() == [1, 3, 6])
  }

  @Test func speaksOfAFile() throws {
    let report = try MarkEngine.report([
      "A.swift": "FIND(log-sensitive)\nFIND(weak-kdf)\n// atrest:ignore-file log-sensitive a demo"
    ])
    #expect(report.suppressed.count == 1)
    #expect(report.findings.map(\.rule) == ["weak-kdf"])
  }

  @Test func takesTheNearestComment() throws {
    let report = try MarkEngine.report([
      "A.swift": """
      // atrest:ignore-file log-sensitive of the file
      FIND(log-sensitive) // atrest:ignore log-sensitive of the line
      """
    ])
    #expect(report.suppressed.map(\.reason) == ["of the line"])
    #expect(whys(report) == ["1: log-sensitive has no finding here."])
  }

  @Test func standsInOtherFilesToo() throws {
    let report = try MarkEngine.report([
      "Info.plist": "<a>FIND(log-sensitive)</a> <!-- atrest:ignore log-sensitive a demo -->",
      "A.xcconfig": "// atrest:ignore log-sensitive a demo\nKEY = FIND(log-sensitive)",
      "L.strings": "/* atrest:ignore log-sensitive a demo */\n\"a\" = \"FIND(log-sensitive)\";",
      "Podfile.lock": "# atrest:ignore log-sensitive a demo\n- FIND(log-sensitive)",
      "V.xib": "<!--\n atrest:ignore-file x -->\n<!-- atrest:ignore log-sensitive ok --><a/>\n",
    ])
    #expect(report.findings.isEmpty)
    #expect(report.suppressed.map(\.reason) == ["a demo", "a demo", "a demo", "a demo"])
    #expect(whys(report) == ["3: log-sensitive has no finding here."])
  }

  @Test func saysWhatSuppressesNothing() throws {
    let report = try MarkEngine.report([
      "A.swift": """
      let a = 1 // atrest:ignore log-sensitive nothing here
      FIND(log-sensitive) // atrest:ignore log-sensitiv a demo
      FIND(log-sensitive) // atrest:ignore log-sensitive
      FIND(log-sensitive) // atrest:ignore
      // atrest:ignore-begin weak-kdf a demo
      // atrest:ignore-end log-sensitive
      // atrest:ignored log-sensitive a demo
      // atrest:something else
      """
    ])
    #expect(report.findings.count == 3)
    #expect(
      whys(report) == [
        "1: log-sensitive has no finding here.",
        "2: The rule 'log-sensitiv' does not exist. Did you mean 'log-sensitive'?",
        "3: It gives no reason. Write 'atrest:ignore log-sensitive REASON'.",
        "4: It names no rule.",
        "5: The suppression of weak-kdf does not end. Add atrest:ignore-end weak-kdf.",
        "6: No atrest:ignore-begin log-sensitive precedes it.",
        "7: 'atrest:ignored log-sensitive a demo' is not a known suppression.",
      ])
  }

  @Test func isNotWithoutUseWhereItsRuleIsOff() throws {
    var settings = Settings()
    settings.severities = ["log-sensitive": nil]
    let report = try MarkEngine.report(
      ["A.swift": "FIND(log-sensitive) // atrest:ignore log-sensitive a demo"], settings)
    #expect(report.findings.isEmpty && report.suppressed.isEmpty)
    #expect(report.unusedSuppressions.isEmpty)
  }
}
