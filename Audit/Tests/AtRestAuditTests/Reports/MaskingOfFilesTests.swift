import AtRestAudit
import Foundation
import Testing

/// No value that a rule reports as a secret is in a report, whatever the format of the report and
/// the kind of the file.
@Suite struct MaskingOfFilesTests {
  enum Format: String, CaseIterable {
    case terminal, json, sarif, junit, gitlab, markdown, html, masvs

    func text(of report: AuditReport, _ rules: [Rule], reveal: Bool) -> String {
      switch self {
      case .terminal: TerminalReport(reveal: reveal).text(of: report, rules: rules)
      case .json: JSONReport(reveal: reveal).text(of: report, rules: rules)
      case .sarif: SARIFReport(reveal: reveal).text(of: report, rules: rules)
      case .junit: JUnitReport(failOn: .note, reveal: reveal).text(of: report, rules: rules)
      case .gitlab: GitLabReport(reveal: reveal).text(of: report, rules: rules)
      case .markdown: MarkdownReport(reveal: reveal).text(of: report, rules: rules)
      case .html: HTMLReport(reveal: reveal).text(of: report, rules: rules)
      case .masvs: MASVSReport(reveal: reveal).text(of: report, rules: rules)
      }
    }

    /// True if the format shows the lines around each finding.
    var showsLines: Bool { [.terminal, .markdown, .html].contains(self) }
  }

  @Test(arguments: MaskingCase.all, Format.allCases)
  func hidesTheSecretAndShowsItsName(example: MaskingCase, format: Format) throws {
    let report = try Audit(tree: SourceTree(data: example.files)).run()
    #expect(
      report.findings.contains { $0.rule.rawValue == example.rule && !$0.secrets.isEmpty })
    let text = format.text(of: report, Rulebook.all, reveal: false)
    for piece in example.pieces { #expect(!text.contains(piece), "\(text)") }
    if let name = example.name { #expect(text.contains(name)) }
    if format.showsLines, example.isShown {
      if let word = example.word { #expect(text.contains(word)) }
      let revealed = format.text(of: report, Rulebook.all, reveal: true)
      #expect(example.pieces.contains { revealed.contains($0) }, "\(revealed)")
    }
  }

  /// The lines of another finding show a secret whose own finding the settings leave out.
  @Test(arguments: Format.allCases)
  func hidesSecretsOfRulesThatAreOff(format: Format) throws {
    let text = """
      func f() {
        let password = "\(MaskingCase.secret)"
        UserDefaults.standard.set(password, forKey: "password")
      }
      """
    var settings = Settings()
    settings.severities["hardcoded-credential"] = .some(nil)
    let report = try Audit(tree: SourceTree(files: ["A.swift": text]), settings: settings).run()
    #expect(report.findings.map(\.rule.rawValue) == ["userdefaults-sensitive"])
    #expect(
      !format.text(of: report, Rulebook.all, reveal: false).contains(MaskingCase.secret))
  }

  /// The secrets that the fixtures of all rules state, as texts that cannot be names.
  private static func secrets(in report: AuditReport) -> Set<String> {
    Set(report.secrets.map { String(decoding: $0.value, as: UTF8.self) }).filter { text in
      text.utf8.count >= 8 && text.contains(where: \.isNumber)
        && !text.contains(where: { $0.isNewline || "\"\\<>&'".contains($0) })
    }
  }

  @Test(arguments: RuleFixture.all.filter(\.isBad))
  func hidesTheSecretsOfFixtures(fixture: RuleFixture) throws {
    let report = try RuleFixture.report(fixture.files, on: fixture.rule)
    let secrets = Self.secrets(in: report)
    guard !secrets.isEmpty else { return }
    for format in Format.allCases {
      let text = format.text(of: report, [], reveal: false)
      for secret in secrets { #expect(!text.contains(secret), "\(format): \(secret)") }
    }
  }

  /// A rule that begins to report secrets needs a case.
  @Test func hasACaseForEachRuleThatStatesSecrets() throws {
    let covered = Set(MaskingCase.all.map(\.rule))
    var stating: Set<String> = []
    var files = RuleFixture.all.map { ($0.rule, $0.files) }
    files += Rulebook.all.map { ($0.id, [$0.bad.file: $0.bad.text]) }
    for (rule, files) in files {
      for finding in try RuleFixture.report(files, on: rule).findings where !finding.secrets.isEmpty
      {
        stating.insert(finding.rule.rawValue)
      }
    }
    #expect(stating.subtracting(covered) == [])
    #expect(covered.isSubset(of: Rulebook.all.map(\.id.rawValue)))
  }

  /// A rule about literal credentials and keys that states no secret would print it.
  @Test(arguments: RuleFixture.all.filter(\.isBad))
  func statesASecretForEachHardcodedValue(fixture: RuleFixture) throws {
    for finding in try RuleFixture.report(fixture.files, on: fixture.rule).findings
    where ["hardcoded-credential", "hardcoded-key"].contains(finding.rule.rawValue) {
      #expect(!finding.secrets.isEmpty, "\(finding.message)")
    }
  }
}
