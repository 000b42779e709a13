import AtRestAudit
import Testing

@Suite struct RulebookTests {
  private static let fixtures = Dictionary(grouping: RuleFixture.all, by: \.rule)

  @Test func namesEachRuleOnce() {
    let ids = Rulebook.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(
      ids.allSatisfy { $0.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" } })
  }

  @Test func hasARuleForEachFixture() {
    #expect(Set(Self.fixtures.keys).subtracting(Rulebook.all.map(\.id)) == [])
  }

  @Test(arguments: Rulebook.all.map(\.id)) func showsWhatItFindsAndWhatItDoesNot(_ id: RuleID)
    throws
  {
    let rule = try #require(Rulebook.all.first { $0.id == id })
    func findings(_ example: Rule.Example) throws -> Int {
      try RuleFixture.report([example.file: example.text], on: id).findings
        .count { $0.rule == id }
    }
    #expect(try findings(rule.bad) > 0)
    #expect(try findings(rule.good) == 0)
  }

  @Test(arguments: Rulebook.all.map(\.id)) func explainsEachRule(_ id: RuleID) throws {
    let rule = try #require(Rulebook.all.first { $0.id == id })
    for text in [rule.title, rule.consequence, rule.remedy] { #expect(!text.isEmpty) }
    #expect(rule.consequence.hasSuffix(".") && rule.remedy.hasSuffix("."))
    #expect(!rule.title.hasSuffix("."))
    #expect(rule.references.masvs.allSatisfy { $0.hasPrefix("MSTG-") })
    #expect(rule.references.maswe.allSatisfy { $0.hasPrefix("MASWE-") })
    #expect(rule.references.masweBeta.allSatisfy { $0.hasPrefix("MASWE-") })
    #expect(rule.references.mastg.allSatisfy { $0.hasPrefix("MASTG-TEST-") })
  }

  @Test(arguments: Rulebook.all.map(\.id)) func hasFixturesEachWay(_ id: RuleID) {
    let fixtures = Self.fixtures[id] ?? []
    #expect(fixtures.count { $0.isBad } >= 3)
    #expect(fixtures.count { !$0.isBad } >= 3)
  }
}
