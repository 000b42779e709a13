import AtRestAudit
import AtRestContainers
import Testing

/// The report by controls says for each test whether it was done, and with which result.
@Suite struct MASVSReportTests {
  private func text(
    _ files: [String: String], used: Set<RuleID>? = nil, _ settings: Settings = Settings()
  ) throws -> String {
    let report = try Audit(tree: SourceTree(files: files), settings: settings).run()
    return MASVSReport(used: used).text(of: report, rules: Rulebook.all)
  }

  private static let weak = """
    import CommonCrypto
    func derive(password: String, salt: Data, key: UnsafeMutablePointer<UInt8>) {
      CCKeyDerivationPBKDF(
        CCPBKDFAlgorithm(kCCPBKDF2), password, 8, [UInt8](salt), salt.count,
        CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), 1000, key, 32)
      UserDefaults.standard.set(password, forKey: "login")
    }
    """

  private func row(_ test: String, in text: String) -> Substring? {
    text.split(separator: "\n").first { $0.contains("MASTG-TEST-\(test) ") }
  }

  @Test func saysWhatWasFound() throws {
    let text = try text(["A.swift": Self.weak])
    #expect(row("0300", in: text)?.hasSuffix("| found: 1 high |") == true)
    #expect(text.contains("- high userdefaults-sensitive A.swift:6: "))
  }

  @Test func saysWhatWasCheckedAndNotFound() throws {
    #expect(
      row("0210", in: try text(["A.swift": Self.weak]))?.hasSuffix("| checked, nothing found |")
        == true)
  }

  @Test func saysWhatNeedsADevice() throws {
    let text = try text(["A.swift": Self.weak])
    #expect(row("0301", in: text)?.contains("not checked. Needs the app on a device.") == true)
    #expect(row("0302", in: text)?.contains("--container") == true)
  }

  private func text(ofContainer json: String) throws -> String {
    let source = ContainerSource(files: ["a.json": Array(json.utf8)])
    let report = try ContainerAudit(name: "Bank", source).run()
    return MASVSReport().text(of: report, rules: Rulebook.all)
  }

  /// What an app left on a device says nothing about its code.
  @Test func judgesAContainerAlone() throws {
    let text = try text(ofContainer: #"{"userPassword": "Tr0ub4dor&3x"}"#)
    #expect(row("0302", in: text)?.hasSuffix("| found: 1 high |") == true)
    #expect(row("0290", in: text)?.hasSuffix("| nothing found in the container |") == true)
    for test in ["0210", "0300", "0281"] {
      #expect(row(test, in: text)?.contains("not checked. Needs the sources") == true, "\(test)")
    }
    #expect(text.contains("the code was not read"))
    #expect(
      text.contains(
        "## MASVS-STORAGE-1: Sensitive data is stored securely\n\nVerdict: does not hold: 1 high.\n"
      ))
    #expect(text.contains("current and used as intended\n\nVerdict: not checked.\n"))
  }

  @Test func givesAVerdictByControl() throws {
    let clean = try text(ofContainer: #"{"theme": "dark"}"#)
    #expect(
      clean.contains("is stored securely\n\nVerdict: nothing found in 1 of 6 tests.\n"))
    let code = try text(["A.swift": Self.weak])
    #expect(code.contains("is stored securely\n\nVerdict: does not hold: 1 high.\n"))
  }

  @Test func saysWhatNoRuleChecks() throws {
    let report = try Audit(tree: SourceTree(files: ["A.swift": "let a = 1"])).run()
    let rules = Rulebook.all.filter { $0.id != "weak-key-size" }
    let text = MASVSReport().text(of: report, rules: rules)
    #expect(row("0209", in: text)?.contains("No rule checks this") == true)
  }

  /// The tests of the MASTG that the rules about web views, keys and permissions refer to.
  @Test(arguments: ["0209", "0248", "0333", "0335", "0360", "0378", "0379"])
  func checksTheCodeForATest(_ test: String) throws {
    let text = try text(["A.swift": "let a = 1"])
    #expect(row(test, in: text)?.hasSuffix("| checked, nothing found |") == true)
  }

  @Test func doesNotCallARuleThatIsOffChecked() throws {
    let text = try text(["A.swift": "let a = 1"], used: ["userdefaults-sensitive"])
    #expect(
      row("0210", in: text)?.contains("The settings of this audit leave the rules out.") == true)
  }

  /// A lock file whose dependencies nobody could look up is no clean result.
  @Test func doesNotCallDependenciesCheckedWithoutAdvisories() throws {
    let lock =
      "PODS:\n  - AFNetworking (3.0.0)\n\nDEPENDENCIES:\n  - AFNetworking\n\nCOCOAPODS: 1.0.0\n"
    let text = try text(["A.swift": "let a = 1", "Podfile.lock": lock])
    #expect(row("0273", in: text)?.contains("Needs --advisories.") == true)
  }

  @Test func listsFindingsThatNoTestCovers() throws {
    let text = try text(["A.swift": Self.weak])
    let rest = try #require(text.range(of: "## Findings that no test covers"))
    #expect(text[rest.upperBound...].contains("medium weak-kdf A.swift"))
  }

  /// Each test that a rule refers to has a row, and no test has two.
  @Test func hasARowForEachTestOfTheRules() throws {
    let text = try text(["A.swift": "let a = 1"])
    for test in Set(Rulebook.all.flatMap(\.references.mastg)) {
      #expect(text.components(separatedBy: "| \(test) |").count == 2, "\(test)")
    }
  }

  @Test func hasNoMarkupFromNames() throws {
    var report = AuditReport(tree: SourceTree(files: [:]))
    report.findings = [
      Finding(
        rule: "weak-kdf", severity: .low, location: Sample.location("A|B.swift", 1, 1, 1, 2),
        message: "[x](http://example.org) **b** <b>", anchor: "")
    ]
    let text = MASVSReport().text(of: report, rules: Rulebook.all)
    for markup in ["[x]", "**b**", "<b>", "A|B"] { #expect(!text.contains(markup)) }
  }

  @Test func isInThePage() throws {
    let report = try Audit(tree: SourceTree(files: ["A.swift": Self.weak])).run()
    let page = HTMLReport().text(of: report, rules: Rulebook.all)
    #expect(page.contains("MASVS-STORAGE-1"))
    #expect(
      page.contains(
        "MASTG-TEST-0300, calls that store data unencrypted in private storage: found: 1 high"))
  }
}
