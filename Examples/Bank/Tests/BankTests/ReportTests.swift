import AtRest
import Bank
import Testing

@Suite struct ReportTests {
  @Test func saysWhatIsKeptAndUntilWhen() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    _ = try await eva.statements()
    let report = try eva.account.report()
    let page = report.page(.text)
    #expect(page.contains("Payment card or account: card 5556\n"))
    #expect(page.contains("Why: To pay without entering it again."))
    #expect(page.contains("Statement: statements\n"))
    #expect(!page.contains(visa))
    let statements = try #require(report.entries.first { $0.name == "statements" })
    guard case .date(let end) = statements.limits.first else {
      Issue.record("The statements have no date at which they expire.")
      return
    }
    #expect(abs(end.timeIntervalSince(statements.stored) - 30 * 86_400) < 1)
  }

  @Test func endsWithTheLogout() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    try await eva.logOut()
    await expect(.loggedOut) { _ = try eva.account.report() }
    let again = try await phone.bank().logIn("eva", password: SecretBytes(utf8: password))
    #expect(try again.account.report().entries.map(\.kind) == ["token", "account"])
  }
}
