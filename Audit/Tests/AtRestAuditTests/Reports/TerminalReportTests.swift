import AtRestAudit
import Testing

@Suite struct TerminalReportTests {
  @Test func showsCodeAndWhatToDo() {
    let text = TerminalReport().text(of: Sample.report(), rules: Sample.rules)
    #expect(
      text.hasPrefix(
        """
        1 high, 1 medium, 1 low. The worst: The key "sk…(24)" stands in code (Sources/Log in.swift:4).

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
        Not read, in whole or in part: 2.
        'atrest-audit checklist' has 7 questions that no program can answer.
        Left out on purpose: third-party code (Pods/), tests (1 file).

        """))
  }

  @Test func saysThatNothingIsFound() throws {
    let report = AuditReport(tree: SourceTree(files: [:]))
    #expect(
      TerminalReport().text(of: report, rules: []) == """
        Nothing found. All files could be read.

        0 files read, in 0.00 s.
        Nothing was left out.

        """)
    var other = report
    other.skipped = [Skip(path: "A.xib", reason: "No XML.")]
    #expect(
      TerminalReport().text(of: other, rules: [])
        .hasPrefix("Nothing found. 1 file or part could not be read.\n\n"))
  }

  @Test func showsTheWorstFirst() throws {
    let text = TerminalReport().text(of: Sample.large(500), rules: Sample.rules)
    #expect(text.hasPrefix("1 high, 499 low. The worst: Finding 499 (A.swift:500).\n"))
    let high = try #require(text.range(of: "hardcoded-key  [500]"))
    let low = try #require(text.range(of: "weak-kdf  [1]"))
    #expect(high.lowerBound < low.lowerBound)
  }

  @Test func showsThreeOfMany() throws {
    let text = TerminalReport().text(of: Sample.large(20), rules: Sample.rules)
    #expect(text.components(separatedBy: "  weak-kdf  [").count == 4)
    #expect(
      text.contains("  and 16 more in this file, at lines 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, …\n"))
    #expect(!text.contains("[4]"))
    // Each rule is explained once.
    #expect(text.components(separatedBy: "Consequence of weak-kdf.").count == 2)
  }

  /// The rows of a column are one problem, and another column is another.
  @Test func groupsTheRowsOfAColumn() throws {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = (1...40).map { row in
      let column = row % 2 == 0 ? "token" : "pin"
      return Finding(
        rule: "weak-kdf", severity: .low, location: Sample.location("A.db", 1, 1, 1, 1),
        message: "Found \(row).", anchor: "\(row)",
        exhibit: Exhibit(locator: ["users, row \(row), \(column)"], column: ["users.\(column)"]))
    }
    let text = TerminalReport().text(of: report, rules: Sample.rules)
    #expect(text.contains("A.db › users.pin\n\n  › users, row 1, pin  low  weak-kdf  [1]\n"))
    #expect(text.contains("  and 17 more in this place\n\nA.db › users.token\n"))
    #expect(text.components(separatedBy: "[").count == 7)
    let page = HTMLReport().text(of: report, rules: Sample.rules)
    #expect(page.components(separatedBy: "<details class=\"more\"><summary>17 more").count == 3)
    #expect(page.components(separatedBy: "<article ").count == 41)
    let comment = MarkdownReport().text(of: report, rules: Sample.rules)
    #expect(comment.components(separatedBy: "… and 17 more findings of this kind.").count == 3)
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
    #expect(!text.contains("The worst"))
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
