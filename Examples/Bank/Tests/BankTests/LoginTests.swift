import AtRest
import Bank
import Foundation
import Testing

@Suite struct LoginTests {
  @Test func whatIsKeptIsThereAtTheNextStart() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    try eva.choose("de")
    try eva.add(payee: "Ada Lovelace")
    let again = try #require(try phone.bank().customer)
    #expect(again.account.account == "eva")
    #expect(try again.cards() == ["5556"])
    #expect(try again.language() == "de")
    #expect(try again.payees() == ["Ada Lovelace"])
    #expect(try await again.statements().map(\.month) == ["2026-09", "2026-10"])
    try await again.account.unlock(passphrase: SecretBytes(utf8: passphrase))
    #expect(try again.card(ending: "5556").number == visa)
    let copy = phone.folder.appendingPathComponent("copy.jpeg")
    try again.showPassport(copy)
    #expect(try Data(contentsOf: copy) == passport)
  }

  @Test func theCardNeedsThePassphrase() async throws {
    let phone = try Phone()
    _ = try await phone.eva()
    let again = try #require(try phone.bank().customer)
    await expect(.passphraseRequired) { _ = try again.card(ending: "5556") }
    await expect(.authenticationFailed) {
      try await again.account.unlock(passphrase: SecretBytes(utf8: "wren under 8 copper kettles"))
    }
  }

  @Test func aPasswordIsRefusedByTheVault() async throws {
    let eva = try await Phone().bank().logIn("eva", password: SecretBytes(utf8: password))
    await expect(.neverStored) {
      try eva.account.store(password, in: VaultRecord("password", .password))
    }
  }

  @Test func aMonthLaterStatementsAreFetchedWithANewToken() async throws {
    let phone = try Phone()
    let eva = try await phone.bank().logIn("eva", password: SecretBytes(utf8: password))
    #expect(try await eva.statements().count == 2)
    #expect(await phone.server.revoked.isEmpty)
    phone.device.advanceClock(by: 31 * 86_400)
    #expect(try await eva.statements().count == 2)
    #expect(await phone.server.revoked.count == 1)
  }
}
