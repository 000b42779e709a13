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

  @Test(arguments: RuleFixture.all) func isReadOrLeftOutForAReason(_ fixture: RuleFixture) throws {
    let report = try RuleFixture.report(fixture.files, on: fixture.rule)
    #expect(report.skipped.map(\.reason) == [])
    // Some files only say something about others, such as which version of a model is current.
    let code = fixture.files.keys.filter { path in
      [".swift", ".m", ".mm", ".h"].contains(where: path.hasSuffix)
    }
    #expect(report.statistics.files + report.leftOut.count >= code.count)
    #expect(report.statistics.files + report.leftOut.count > 0)
  }
}
