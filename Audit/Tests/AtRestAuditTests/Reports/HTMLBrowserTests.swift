import AtRestAudit
import Foundation
import Testing

/// The HTML report in a real browser.
@Suite(
  .serialized, .timeLimit(.minutes(10)), .enabled(if: Chromium.isExpected, Chromium.reason))
struct HTMLBrowserTests {
  private let report = ContainerSample.report()
  private let chromium = Chromium()

  private var html: String { HTMLReport().text(of: report, rules: ContainerSample.rules) }

  /// Returns the numbers of the findings that match a condition.
  private func numbers(_ isSo: (Finding) -> Bool) -> [Int] {
    report.findings.indices.filter { isSo(report.findings[$0]) }.map { $0 + 1 }
  }

  @Test func runsUnderItsPolicy() throws {
    let page = try chromium.write(html, "report.html")
    let run = try chromium.run(page, fragment: "#rule=weak-kdf")
    #expect(run.console.isEmpty)
    let expected = numbers { $0.rule == "weak-kdf" }.count
    #expect(run.dom.contains(">\(expected) of \(report.findings.count) findings</output>"))
    // This shows that the page's own script ran, because the form is hidden without it.
    #expect(run.dom.contains("autocomplete=\"off\">"))
  }

  @Test(arguments: [false, true])
  func canBeUsed(isDark: Bool) throws {
    _ = try chromium.write(PageProbe.page(html, PageProbe.checks), "probe.html")
    let frames = try chromium.write(
      PageProbe.frames("probe.html", widths: [400, 1280]), "frames.html")
    let run = try chromium.run(frames, isDark: isDark)
    #expect(run.console.isEmpty)
    let probes = try run.probe()
    for width in ["400", "1280"] {
      let probe = try #require(probes[width] as? [String: Any])
      try expectFilters(probe)
      expectFrame(probe)
      #expect(probe["paper"] as? String == (isDark ? "rgb(22, 24, 28)" : "rgb(255, 255, 255)"))
    }
  }

  private func expectFilters(_ probe: [String: Any]) throws {
    func expect(_ name: String, _ isSo: (Finding) -> Bool) {
      #expect(probe[name] as? [Int] == numbers(isSo), "\(name)")
      #expect(!numbers(isSo).isEmpty || name == "nothing", "\(name)")
    }
    expect("all") { _ in true }
    expect("search") { $0.exhibit?.isDeleted == true }
    expect("rule") { $0.rule == "weak-kdf" }
    expect("severity") { [.high, .note].contains($0.severity) }
    expect("place") { $0.location.path.hasPrefix("Bank.ipa/") }
    expect("protection") { $0.exhibit?.protectionClass == "NSFileProtectionNone" }
    expect("path") { $0.location.path == ContainerSample.preferences }
    expect("reset") { _ in true }
    expect("nothing") { _ in false }
    expect("finding") { _ in true }
    expect("restored") { _ in true }
    #expect(probe["openGroups"] as? Int == 0)
    #expect(
      probe["said"] as? String
        == "10 of \(report.findings.count) findings in \(ContainerSample.preferences)")
    #expect(probe["groups"] as? [String] == Set(report.findings.map(\.rule.rawValue)).sorted())
    #expect(probe["first"] as? String == "f1")
    #expect(probe["second"] as? String == "f2")
    #expect(probe["searching"] as? String == "search")
  }

  private func expectFrame(_ probe: [String: Any]) {
    #expect(probe["overflow"] as? Int == 0, "The page scrolls sideways.")
    #expect((probe["contrast"] as? Double ?? 0) >= 4.5, "\(probe["faintest"] ?? "")")
    for list in ["twice", "astray", "leaps"] {
      #expect(probe[list] as? [String] == [], "\(list)")
    }
    for count in ["unnamed", "mute", "broken", "untitled"] {
      #expect(probe[count] as? Int == 0, "\(count)")
    }
  }

  @Test func showsJoinedFindingsAndCanaries() throws {
    let page = HTMLReport().text(of: try JoinedSample.report(), rules: Rulebook.all)
    _ = try chromium.write(PageProbe.page(page, PageProbe.joined), "joined.html")
    let frames = try chromium.write(
      PageProbe.frames("joined.html", widths: [360, 768, 1280]), "joined-frames.html")
    let run = try chromium.run(frames)
    #expect(run.console.isEmpty)
    let probes = try run.probe()
    for width in ["360", "768", "1280"] {
      let probe = try #require(probes[width] as? [String: Any])
      #expect((probe["sections"] as? [String])?.prefix(2) == ["joined", "canaries"])
      let names = try #require(probe["joined"] as? [String])
      #expect(Set(names) == ["high Preference “loginPassword”", "high Preference “draft”"])
      #expect(probe["sides"] as? [Int] == [2, 2])
      #expect(probe["rows"] as? [Int] == [3, 0])
      #expect(probe["absent"] as? [String] == ["pin"])
      #expect(probe["filtered"] as? [String] == ["userdefaults-sensitive"])
      #expect(probe["shownGroups"] as? Int == 1)
      #expect(probe["overflow"] as? Int == 0, "The page scrolls sideways at \(width) pixels.")
      #expect(probe["twice"] as? [String] == [])
    }
  }

  /// Prints the times and does not check them, because they depend on the machine.
  @Test func opensWithThousandsOfFindings() throws {
    let large = HTMLReport().text(of: ContainerSample.large(5000), rules: ContainerSample.rules)
    // The size decides how fast the page opens.
    #expect(large.utf8.count < 6_000_000)
    let page = try chromium.write(PageProbe.page(large, PageProbe.times), "large.html")
    let run = try chromium.run(page, isTimed: true)
    #expect(run.console.isEmpty)
    let probe = try run.probe()
    #expect(probe["findings"] as? Int == 5000)
    let times = probe.filter { $0.key != "findings" }.compactMapValues { $0 as? Double }
      .sorted { $0.key < $1.key }.map { "\($0.key) \(Int($0.value)) ms" }
    print("5,000 findings, \(large.utf8.count / 1000) kB: \(times.joined(separator: ", "))")
  }
}
