import AtRestAudit
import Testing

@Suite struct TerminalReportTests {
  @Test func showsCodeAndWhatToDo() {
    let text = TerminalReport().text(of: Sample.report(), rules: Sample.rules)
    #expect(
      text.hasPrefix(
        """
        Sources/Log in.swift

          4:5  high  hardcoded-key  [1]
          The key "sk…(24)" stands in code.
            3 | // Überall gültig: the é before the call moves columns.
            4 | let apiKey = "sk…(24)"
              |     ^^^^^^^^^^^^^^^^^^
            5 | /* é */ log(password)
            why  Consequence of hardcoded-key.
            fix  Remedy of hardcoded-key.
            see  MSTG-STORAGE-1, MASWE-0001, MASTG-TEST-0302, CWE-321

          5:10  medium  log-sensitive  [2]
          A credential <is> logged.
            4 | let apiKey = "sk…(24)"
            5 | /* é */ log(password)
              |         ^^^^^^^^^^^^^
            6 |   log("\u{FFFD}[31m<b>&'\u{FFFD}")
            from Sources/Log in.swift:4: the key

        """))
    #expect(
      text.hasSuffix(
        """
        Sources/Log in.swift:2: comment suppresses nothing. It names no rule.
        Broken.xib: not read. No XML.
        Sources/Log in.swift:3: not read. Too deep.

        3 findings (1 high, 1 medium, 1 low) in 2 files. 2 files read, 1,206 lines of Swift, in 0.25 s.
        Suppressed by comments: 1.
        Known from the baseline: 1.
        Fixed since the baseline: 1. --update-baseline removes them.
        Left out:
          vendored: Pods/
          tests: 1 file
        Not read, in whole or in part: 2.
        For people, not for programs: atrest-audit checklist asks 7 questions.

        """))
  }

  @Test func coloursOnlyIfAsked() {
    let report = Sample.report()
    #expect(!TerminalReport().text(of: report, rules: Sample.rules).contains("\u{1B}"))
    #expect(
      TerminalReport(colours: true).text(of: report, rules: Sample.rules)
        .contains("\u{1B}[31mhigh\u{1B}[0m"))
  }

  @Test func isShortIfAsked() {
    let text = TerminalReport(quiet: true).text(of: Sample.report(), rules: Sample.rules)
    #expect(text.contains("hardcoded-key"))
    #expect(text.contains("suppresses nothing"))
    #expect(!text.contains("findings"))
  }

  @Test func explainsAFinding() throws {
    let report = Sample.report()
    let terminal = TerminalReport()
    let text = try #require(terminal.explanation(of: 2, in: report, rules: Sample.rules))
    #expect(text.contains("A credential <is> logged."))
    #expect(text.contains("Good, Good.swift"))
    #expect(terminal.explanation(of: 0, in: report, rules: Sample.rules) == nil)
    #expect(terminal.explanation(of: 4, in: report, rules: Sample.rules) == nil)
  }

  @Test func showsAWindowOfALongLine() throws {
    let line = String(repeating: "x", count: 1500) + "HERE" + String(repeating: "y", count: 1500)
    var report = AuditReport(tree: SourceTree(files: ["A.swift": line]))
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .low, location: Sample.location("A.swift", 1, 1501, 1, 1505),
        message: "Here.", anchor: "")
    ]
    let text = TerminalReport().text(of: report, rules: Sample.rules)
    let lines = text.split(separator: "\n")
    let code = try #require(lines.first { $0.contains("HERE") })
    let carets = try #require(lines.first { $0.contains("^") })
    #expect(code.count < 200)
    #expect(carets.filter { $0 == "^" }.count == 4)
    #expect(
      code.distance(from: code.startIndex, to: code.range(of: "HERE")!.lowerBound)
        == carets.distance(from: carets.startIndex, to: carets.firstIndex(of: "^")!))
  }

  @Test func manyFaultsOfAFileAreCounted() {
    func text(_ count: Int) -> String {
      var report = Sample.report()
      report.skipped = (1...count).map { Skip(path: "a.db", reason: "Page \($0) is damaged.") }
      return TerminalReport().text(of: report, rules: Sample.rules)
    }
    #expect(text(5).contains("a.db: not read. Page 5 is damaged.\n\n"))
    #expect(text(6).contains("Page 5 is damaged.\na.db: not read. 1 more place in this file. "))
    let long = text(4_000)
    #expect(long.contains("a.db: not read. 3,995 more places in this file. "))
    #expect(!long.contains("Page 6 is"))
    #expect(long.contains("Not read, in whole or in part: 4,000.\n"))
  }
}
