import AtRestAudit
import Foundation
import Testing

@Suite struct MaskingTests {
  private static let secret = "hunter2-hunter2"

  private func texts(_ report: AuditReport, reveal: Bool) -> [String: String] {
    let rules = Sample.rules
    return [
      "terminal": TerminalReport(reveal: reveal).text(of: report, rules: rules),
      "json": JSONReport(reveal: reveal).text(of: report, rules: rules),
      "sarif": SARIFReport(reveal: reveal).text(of: report, rules: rules),
      "junit": JUnitReport(failOn: .note, reveal: reveal).text(of: report, rules: rules),
      "gitlab": GitLabReport(reveal: reveal).text(of: report, rules: rules),
      "markdown": MarkdownReport(reveal: reveal).text(of: report, rules: rules),
      "html": HTMLReport(reveal: reveal).text(of: report, rules: rules),
      "masvs": MASVSReport(reveal: reveal).text(of: report, rules: rules),
    ]
  }

  private func report(
    _ path: String, _ text: String, _ start: (Int, Int), _ end: (Int, Int),
    trail: [Finding.Step] = [], files: [String: String] = [:]
  ) -> AuditReport {
    var report = AuditReport(tree: SourceTree(files: files.merging([path: text]) { $1 }))
    report.findings = [
      Finding(
        rule: "hardcoded-key", severity: .high,
        location: Sample.location(path, start.0, start.1, end.0, end.1),
        message: "The key \(Self.secret) is in code.", trail: trail, anchor: "key",
        secrets: ([Sample.location(path, start.0, start.1, end.0, end.1)] + trail.map(\.location))
          .map {
            Finding.Secret(Self.secret, at: $0)
          })
    ]
    return report
  }

  private func expectMasked(
    _ report: AuditReport, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2"), "\(format)", sourceLocation: sourceLocation)
    }
    for (format, text) in texts(report, reveal: true) {
      #expect(text.contains(Self.secret), "\(format)", sourceLocation: sourceLocation)
    }
  }

  @Test func hidesALiteral() {
    expectMasked(report("A.swift", "let key = \"\(Self.secret)\"", (1, 11), (1, 28)))
  }

  @Test func hidesALiteralOfObjectiveC() {
    expectMasked(report("A.m", "key = @\"\(Self.secret)\";", (1, 7), (1, 25)))
  }

  /// Rules state the ranges of secrets, so only these are masked.
  @Test func hidesNothingElseOnTheLine() {
    let text = "let port = \"8080\", key = \"\(Self.secret)\""
    let column = text.utf8.count - Self.secret.utf8.count - 1
    let shown = TerminalReport().text(
      of: report("A.swift", text, (1, column), (1, text.utf8.count + 1)), rules: Sample.rules)
    #expect(shown.contains("let port = \"8080\", key = \"hu…(15)\""))
  }

  @Test func hidesBytesOfAKey() {
    let text = TerminalReport().text(
      of: report("A.swift", "let key: [UInt8] = [0x68, 0x75, 0x6E]", (1, 20), (1, 38)),
      rules: Sample.rules)
    #expect(!text.contains("0x75"))
  }

  @Test func hidesALiteralOfSeveralLines() {
    expectMasked(
      report(
        "A.swift", "let key = \"\"\"\n  \(Self.secret)\n  hunter2\n  \"\"\"\n", (1, 1), (4, 6)))
  }

  @Test func hidesWhatStandsInAPropertyList() {
    expectMasked(
      report("A.plist", "<key>k</key>\n<string>\(Self.secret)</string>", (2, 1), (2, 33)))
  }

  @Test func hidesWhatStandsInBuildSettings() {
    expectMasked(report("A.xcconfig", "KEY = \(Self.secret)", (1, 1), (1, 22)))
  }

  @Test func hidesWhereTheTrailBegins() {
    let step = Finding.Step(
      Sample.location("Keys.swift", 1, 5, 1, 8), "the constant \(Self.secret)")
    expectMasked(
      report(
        "A.swift", "use(Keys.key)", (1, 1), (1, 14), trail: [step],
        files: ["Keys.swift": "let key = \"\(Self.secret)\""]))
  }

  @Test func hidesItWhereAnotherFindingShowsIt() {
    var report = report("A.swift", "let key = \"\(Self.secret)\"\nlog(key)", (1, 11), (1, 28))
    report.suppressed = [.init(finding: report.findings[0], reason: "ok", line: 1)]
    report.findings = [
      Finding(
        rule: "log-sensitive", severity: .medium, location: Sample.location("A.swift", 2, 1, 2, 9),
        message: "Logged.", anchor: "log")
    ]
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2"), "\(format)")
    }
  }

  @Test func showsNothingOfAShortOne() {
    var report = report("A.swift", "let pin = \"1234\"", (1, 11), (1, 17))
    report.findings = report.findings.map {
      Finding(
        rule: $0.rule, severity: .high, location: $0.location, message: "A PIN.", anchor: "",
        secrets: [Finding.Secret("1234", at: $0.location)])
    }
    let text = TerminalReport().text(of: report, rules: Sample.rules)
    #expect(text.contains("let pin = \"…(4)\""))
  }

  /// A rule may be wrong about where a file writes a value. Then the rest of the line is masked, or
  /// the whole line of a file that is not code.
  @Test(arguments: [
    ("A.swift", "let key = \"\" + f(\"hunter2\", \"-hunter2\")", (1, 11), (1, 13)),
    ("A.json", "{\"key\":\"hunter2\",\"-\":\"hunter2\"}", (1, 2), (1, 7)),
  ])
  func hidesTheLineIfThePlaceIsWrong(
    path: String, text: String, start: (Int, Int), end: (Int, Int)
  ) {
    let report = report(path, text, start, end)
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2"), "\(format)")
    }
  }

  /// A secret may be a word of the language. Names that contain it stay as they are.
  @Test func leavesNamesThatContainAWord() {
    var report = report("A.swift", "let key = \"orange\"\nlet orangeColor = 1", (1, 11), (1, 19))
    report.findings = [
      Finding(
        rule: "hardcoded-key", severity: .high, location: Sample.location("A.swift", 1, 11, 1, 19),
        message: "A key.", anchor: "",
        secrets: [Finding.Secret("orange", at: Sample.location("A.swift", 1, 11, 1, 19))])
    ]
    let text = TerminalReport().text(of: report, rules: Sample.rules)
    #expect(text.contains("let key = \"or…(6)\""))
    #expect(text.contains("let orangeColor = 1"))
  }

  @Test func describesASecretWithoutItsValue() {
    let secret = Finding.Secret(Self.secret, at: Sample.location("A.swift", 1, 1, 1, 9))
    var dumped = ""
    dump(secret, to: &dumped)
    #expect(!"\(secret) \(String(reflecting: secret)) \(dumped)".contains("hunter2"))
  }

  @Test func leavesOtherLiteralsAsTheyAre() {
    let text = TerminalReport().text(
      of: report("A.swift", "f(\"other\", \"\(Self.secret)\")", (1, 12), (1, 29)),
      rules: Sample.rules)
    #expect(text.contains("f(\"other\", \"hu…(15)\")"))
  }

  private func found(
    _ excerpts: [Exhibit.Excerpt], locator: [String] = ["a"], path: String = "Cache.db"
  ) -> AuditReport {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = excerpts.enumerated().map { number, excerpt in
      ContainerSample.finding(
        "log-sensitive", .high, path + (number == 0 ? "" : ".\(number)"), locator,
        "The token \(Self.secret).", excerpt)
    }
    return report
  }

  @Test func hidesWhatLiesInAContainer() {
    expectMasked(
      found([ContainerSample.text("a \(Self.secret) and again ", Self.secret, " b")]))
    for format in texts(found([ContainerSample.text("a ", Self.secret, " b")]), reveal: false)
    where !["sarif", "gitlab"].contains(format.key) {
      #expect(format.value.contains("hu…(15)"), "\(format.key)")
    }
  }

  @Test func hidesItInALocator() {
    expectMasked(
      found(
        [ContainerSample.text("", Self.secret, "")], locator: ["example.org, \(Self.secret)"]))
  }

  @Test func hidesBytes() {
    let report = found([
      ContainerSample.hex(Array(Self.secret.utf8), before: 7, after: 9, offset: 32)
    ])
    for (format, text) in texts(report, reveal: false) {
      #expect(!text.contains("hunter2") && !text.contains("68 75"), "\(format)")
    }
    #expect(texts(report, reveal: true)["terminal"]?.contains("68 75 6e 74 65 72") == true)
    #expect(texts(report, reveal: false)["terminal"]?.contains("·· ··") == true)
  }

  /// The excerpt of another finding may show the same secret, or as much of it as fits.
  @Test func hidesItWhereAnotherExcerptShowsIt() {
    let parts = [
      "\(Self.secret) in another file", "cut off here: \(Self.secret.prefix(13))",
      "\(Self.secret.suffix(12)) cut off before",
    ]
    let excerpts =
      [ContainerSample.text("", Self.secret, "")]
      + parts.map {
        Exhibit.Excerpt(bytes: Array($0.utf8), secrets: [], offset: 40, isText: true)
      }
    var report = found(excerpts)
    report.findings = report.findings.map {
      ContainerSample.finding(
        $0.rule, $0.severity, $0.location.path, ["a"], "Found.", $0.exhibit?.excerpt)
    }
    for (format, text) in texts(report, reveal: false) {
      for piece in ["hunter", "ter2-h", "nter2"] { #expect(!text.contains(piece), "\(format)") }
    }
  }

  @Test func leavesWordsOfOtherFilesAsTheyAre() {
    let other = Exhibit.Excerpt(
      bytes: Array("the word password".utf8), secrets: [], offset: 0, isText: true)
    let text = TerminalReport().text(
      of: found([ContainerSample.text("", "password", ""), other]), rules: [])
    #expect(text.contains("the word password"))
  }

  /// Tokens with the same beginning are each masked, and masking many of them is fast.
  @Test func hidesManySecretsThatBeginAlike() {
    let secrets = (0..<2000).map { "eyJhbGciOiJIUzI1NiJ9.\($0).end" }
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = secrets.map {
      ContainerSample.finding(
        "log-sensitive", .high, "A", [$0], "Of \($0).", ContainerSample.text("<\($0)", $0, ">"))
    }
    let text = JSONReport().text(of: report, rules: [])
    #expect(!text.contains("eyJ"))
  }

  @Test func survivesRangesThatAreNone() {
    let bytes = Array("hunter2-hunter2".utf8)
    for secrets in [[0..<900], [20..<30], [-5..<3], [4..<9, 2..<6], [3..<3]] {
      for isText in [true, false] {
        let report = found([
          Exhibit.Excerpt(bytes: bytes, secrets: secrets, offset: .max, isText: isText)
        ])
        #expect(texts(report, reveal: false).count == 8)
      }
    }
  }
}
