import AtRestAudit
import Testing

/// What a name silences is listed as left out.
@Suite struct SilencedCodeTests {
  private func report(_ files: [String: String]) throws -> AuditReport {
    try Audit(tree: SourceTree(files: files)).run()
  }

  private func silenced(_ report: AuditReport) -> [String] {
    report.leftOut.filter { $0.reason == .standIns }.map(\.path)
  }

  private static let literal = "let password = \"Wint3r!is-over\""

  @Test(arguments: [
    ("A.swift", "struct SampleAccount { \(literal) }"),
    ("A.swift", "struct TestAccounts { \(literal) }"),
    ("A.swift", "func makePreviewUser() { \(literal) }"),
    ("Demos/A.swift", literal),
    ("A.swift", "let sampleUser = [\"password\": \"Wint3r!is-over\"]"),
    ("Demos/A.swift", "let u = \"https://eva:Wr3nKettle77@api.example.net/\""),
    (
      "A.swift",
      "class DebugView { func f() -> some View { TextField(\"Password\", text: $password) } }"
    ),
  ])
  func isListed(path: String, code: String) throws {
    let report = try report([path: code])
    #expect(report.findings.isEmpty)
    #expect(silenced(report) == [path])
  }

  @Test func codeWithoutAFindingIsNotListed() throws {
    #expect(
      silenced(try report(["A.swift": "struct SampleAccount { let name = \"Eva\" }"])).isEmpty)
  }

  /// A type of this name can be part of an app: `SpeedTest`.
  @Test func aTypeWhoseNameEndsInTestIsNotATest() throws {
    let report = try report(["A.swift": "struct MastgTest { \(Self.literal) }"])
    #expect(report.findings.map(\.rule) == ["hardcoded-credential"])
  }

  /// The secret of a silenced literal stays masked in the lines of other findings.
  @Test func theSecretStaysMasked() throws {
    let code = """
      struct SampleAccount {
        let password = "Wint3r!is-over"; func f() { UIPasteboard.general.string = seedPhrase }
      }
      """
    let text = TerminalReport().text(of: try report(["A.swift": code]), rules: Rulebook.all)
    #expect(!text.contains("Wint3r!is-over"))
  }

  @Test func aPropertyListOfTestsIsListed() throws {
    let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>password</key><string>Wint3r!is-over</string></dict></plist>
      """
    let report = try report(["App/Mocks/Account.plist": list])
    #expect(report.findings.isEmpty)
    #expect(report.leftOut.map(\.path) == ["App/Mocks/Account.plist"])
  }
}
