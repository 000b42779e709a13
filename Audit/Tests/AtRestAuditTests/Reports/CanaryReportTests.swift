import AtRestAudit
import AtRestContainers
import Foundation
import Testing

/// The table of canaries: what was found where, and what was not found.
@Suite struct CanaryReportTests {
  private static let notes = "Documents/notes.txt"
  private static let state = "Documents/state.json"

  private func report(
    _ files: [String: String] = [:], rules: Set<RuleID> = []
  ) throws -> AuditReport {
    let encoded = Data("violet-kestrel-48".utf8).base64EncodedString()
    let files = [
      Self.notes: "violet-kestrel-48\nviolet-kestrel-48\n",
      Self.state: "{\"pages\": [{\"a\": \"\(encoded)\"}, {\"a\": \"\(encoded)\"}]}",
    ].merging(files) { $1 }
    var audit = ContainerAudit(
      name: "Bank", ContainerSource(files: files.mapValues { Array($0.utf8) }))
    audit.settings.onlyRules = rules
    audit.canaries = [
      try Canary(name: "note", value: "violet-kestrel-48"),
      try Canary(name: "pin", value: "amber-otter-19"),
    ]
    return try audit.run()
  }

  @Test func saysWhatWasNotFound() throws {
    let text = TerminalReport().text(of: try report(), rules: Rulebook.all)
    #expect(
      text.contains(
        """
        Canaries: 1 canary found, 1 not found

          note  found as typed, 2 times: Bank/Documents/notes.txt
                found as typed, 2 times: Bank/Documents/state.json › pages[].a › base64
          pin   not found

          Searched in Bank: 2 files,
        """), "\(text)")
    #expect(text.contains(" values. Everything could be opened.\n"))
  }

  /// The table does not depend on the rules that the settings allow.
  @Test func holdsIfARuleIsOff() throws {
    let report = try report(rules: ["container-key"])
    #expect(report.findings.isEmpty)
    let text = TerminalReport().text(of: report, rules: Rulebook.all)
    #expect(text.contains("1 canary found, 1 not found"))
    #expect(!text.contains("violet-kestrel-48"))
  }

  @Test func saysWhatCouldNotBeOpened() throws {
    let text = TerminalReport().text(
      of: try report(["Documents/broken.json": "{\"a\": \u{1}"]), rules: Rulebook.all)
    let damaged = TerminalReport().text(
      of: try report(["Documents/broken.plist": "bplist00\u{1}\u{2}"]), rules: Rulebook.all)
    #expect(text.contains("Searched in Bank: 3 files"))
    #expect(damaged.contains(" Not searched: 1 part that the report lists as not read."))
  }

  @Test func namesACanaryInAKey() throws {
    let report = try report(["Documents/b.json": "{\"violet-kestrel-48\": [1, 2]}"])
    let json = JSONReport().text(of: report, rules: Rulebook.all)
    #expect(json.contains("‹note›"))
    #expect(!json.contains("violet-kestrel-48"))
  }

  @Test func isInJSON() throws {
    let text = JSONReport().text(of: try report(), rules: Rulebook.all)
    #expect(try Schemas.own("atrest-audit-report.schema.json").errors(json: text).isEmpty)
    let canaries = try #require(Sample.json(text)["canaries"] as? [[String: Any]])
    #expect(canaries.map { $0["name"] as? String } == ["note", "pin"])
    let places = try #require(canaries[0]["places"] as? [[String: Any]])
    #expect(places.map { $0["count"] as? Int } == [2, 2])
    #expect(places[1]["column"] as? [String] == ["pages[].a", "base64"])
    #expect((canaries[1]["places"] as? [Any])?.isEmpty == true)
  }

  @Test func isATableInMarkdownAndHTML() throws {
    let report = try report()
    let markdown = MarkdownReport().text(of: report, rules: Rulebook.all)
    #expect(markdown.contains("| Canary | Bank |\n| --- | --- |\n| note | <b>found</b> as typed, "))
    #expect(markdown.contains("\n| pin | not found |\n"))
    let page = HTMLReport().text(of: report, rules: Rulebook.all)
    #expect(page.contains("<th scope=\"row\">pin</th><td><span class=\"absent\">not found</span>"))
    #expect(page.contains("<p>1 canary found, 1 not found.</p>"))
    #expect(!(markdown + page).contains("violet-kestrel-48"))
  }

  /// A canary in an item that only this device can read is where it belongs.
  @Test func knowsItemsThatAreGuarded() throws {
    func item(_ accessible: String) -> String {
      """
      [{"item_class": "kSecClassGenericPassword", "account": "eva", "service": "bank",
        "accessible_attribute": "\(accessible)", "data": "violet-kestrel-48",
        "dataHex": "\("violet-kestrel-48".utf8.map { String($0, radix: 16) }.joined())"}]
      """
    }
    func text(_ accessible: String) throws -> String {
      let dump = try KeychainDump.read(ByteSource(Array(item(accessible).utf8)), path: "a.json")
      var audit = KeychainAudit(name: "Bank", items: dump.items)
      audit.canaries = [try Canary(name: "note", value: "violet-kestrel-48")]
      return TerminalReport().text(of: audit.run(), rules: Rulebook.all)
    }
    let guarded = "only this device can read the keychain item"
    #expect(try text("kSecAttrAccessibleWhenUnlockedThisDeviceOnly").contains(guarded))
    #expect(try !text("kSecAttrAccessibleAlways").contains(guarded))
    #expect(try text("kSecAttrAccessibleAlways").contains("1 canary found"))
  }

  @Test func isLeftOutWithoutCanaries() {
    let text = TerminalReport().text(of: ContainerSample.report(), rules: [])
    #expect(!text.contains("Canaries"))
    #expect(!HTMLReport().text(of: ContainerSample.report(), rules: []).contains("id=\"canaries\""))
  }
}
