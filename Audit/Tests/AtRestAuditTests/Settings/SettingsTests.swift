import AtRestAudit
import Testing

@Suite struct SettingsTests {
  @Test func readsEveryKey() throws {
    let settings = try Settings(
      yaml: """
        fail-on: never
        strict: true
        rules:
          log-sensitive: off
          weak-kdf: high
        exclude: [Demo/**, "*.gen.swift"]
        include:
          - Pods/Own
        vendored: include
        generated: include
        tests: exclude
        baseline: known.json
        advisories: osv
        sensitive-names: {kennwort: credential}
        harmless-names: [demoToken]
        checklist:
          official-distribution: "On the web site."
        """)
    #expect(settings.failOn == nil)
    #expect(settings.isStrict)
    #expect(settings.severities == ["log-sensitive": nil, "weak-kdf": .high])
    #expect(settings.exclude == [Glob("Demo/**"), Glob("*.gen.swift")])
    #expect(settings.include == [Glob("Pods/Own")])
    #expect(settings.includesVendored && settings.includesGenerated && !settings.includesTests)
    #expect(settings.baseline == "known.json")
    #expect(settings.advisories == "osv")
    #expect(settings.sensitiveNames == ["kennwort": .credential])
    #expect(settings.harmlessNames == ["demoToken"])
    #expect(settings.checklist == ["official-distribution": "On the web site."])
  }

  @Test(arguments: ["", "# nothing\n", "---\n", "{}", Settings.template])
  func changesNothingWithNothing(yaml: String) throws {
    let settings = try Settings(yaml: yaml)
    #expect(settings.failOn == .medium)
    #expect(!settings.isStrict && !settings.includesVendored && settings.severities.isEmpty)
  }

  @Test func answersAreInTheReport() throws {
    let settings = try Settings(yaml: "checklist:\n  official-distribution: On the site.\n")
    let report = try MarkEngine.report([:], settings)
    #expect(report.checklist.count == Checklist.all.count)
    #expect(report.checklist.compactMap(\.answer) == ["On the site."])
  }
}
