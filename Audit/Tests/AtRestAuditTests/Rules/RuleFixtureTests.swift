import AtRestAudit
import Testing

@Suite struct RuleFixtureTests {
  @Test(arguments: RuleFixture.all) func findsWhatIsMarkedAndNoMore(_ fixture: RuleFixture) throws {
    let findings = try fixture.findings()
    let found = Set(findings.map(\.place))
    let said = findings.map { "\($0.place) \($0.message)" }.joined(separator: "\n")
    #expect(!fixture.files.isEmpty)
    #expect(
      fixture.isBad == !fixture.marks.isEmpty,
      "A bad fixture must have marks, and a good one must not.")
    #expect(found == fixture.marks, Comment(rawValue: said))
  }

  @Test(arguments: RuleFixture.all) func isReadWhole(_ fixture: RuleFixture) throws {
    let report = try RuleFixture.report(fixture.files, on: fixture.rule)
    #expect(report.skipped.map(\.reason) == [])
    #expect(report.statistics.files == fixture.files.count)
  }
}
