import AtRest
import AtRestSimulation
import Foundation
import Testing

/// What is kept about the user, why, and until when.
@Suite struct AccountReportTests {
  private struct Card: Codable { var digits = "4000056655665556" }
  private let card = VaultRecord<Card>("card 5556", .paymentCard, keep: .days(30))

  /// An account with values of several kinds and keys.
  private func eva(_ test: TestVault) throws -> Compartment {
    let eva = try test.open().logIn("eva")
    try eva.setPassphrase(phrase())
    try eva.store(Card(), in: card)
    try eva.store("s3cr3t token", in: .session)
    try eva.store(
      "a text", in: VaultRecord("note", .document, keep: Retention(idle: .seconds(86_400), uses: 2))
    )
    try eva.preferences.set("dark", forKey: "theme")
    _ = try eva.pseudonyms.pseudonym(for: "7", to: "analytics.example.com")
    try eva.stamper().stamp(["daily": 500], name: "limits")
    try eva.envelopeKeys(named: "documents").rotate()
    return eva
  }

  @Test func listsEverythingOfTheAccount() throws {
    let test = try TestVault()
    let report = try eva(test).report()
    #expect(report.account == "eva")
    #expect(
      report.entries.map { "\($0.kind)/\($0.name)" } == [
        "payment-card/card 5556", "document/note", "preference/preferences", "token/session",
        "account/", "envelope-keys/documents", "passphrase-check/",
        "pseudonym-key/analytics.example.com", "stamp/limits", "stamp-key/values",
      ])
    let card = try #require(report.entries.first)
    #expect(card.sensitivity == .highlySensitive)
    #expect(card.key == .passphrase)
    #expect(!card.mayMigrate)
    #expect(card.limits.count == 1)
    let note = report.entries[1]
    guard case .unused = note.limits.first else { return #expect(Bool(false), "\(note.limits)") }
    #expect(note.limits.last == .reads(2))
  }

  /// As many entries as items, except for those of the vault itself.
  @Test func leavesNothingOut() throws {
    let test = try TestVault()
    let report = try eva(test).report()
    #expect(try test.allItems().count == report.entries.count + 2)
  }

  @Test func hasNoValues() throws {
    let test = try TestVault()
    let report = try eva(test).report()
    let shown = [
      String(decoding: try JSONEncoder().encode(report), as: UTF8.self), "\(report)",
      report.page(.text), report.page(.html),
    ]
    for text in shown {
      for value in ["4000056655665556", "s3cr3t token", "a text", "dark", "daily", passphrase] {
        #expect(!text.contains(value))
      }
      // Control: the name of a record is in each of them.
      #expect(text.contains("card 5556"))
    }
  }

  @Test func isAValueThatCanBeStored() throws {
    let test = try TestVault()
    let report = try eva(test).report()
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(AccountReport.self, from: data).entries == report.entries)
  }

  @Test func doesNotListWhatHasEnded() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let once = VaultRecord<String>("once", .document, keep: Retention(uses: 1))
    try eva.store("text", in: once)
    try eva.store("text", in: VaultRecord("short", .document, keep: .minutes(5)))
    #expect(try eva.report().entries.count == 3)
    _ = try eva.value(in: once)
    test.device.advanceClock(by: 301)
    #expect(try eva.report().entries.map(\.kind) == ["account"])
  }

  /// A report that leaves something out would be false.
  @Test func isRefusedWhereSomethingCannotBeRead() throws {
    let test = try TestVault()
    let account = try eva(test)
    test.device.lock()
    expect(.locked) { _ = try account.report() }
    try test.device.unlock()
    #expect(try account.report().entries.count == 10)
    let keychain = try test.device.keychain()
    let item = try #require(
      keychain.items(matching: KeychainQuery(.genericPassword))
        .first { $0.attributes.account == "value.note" })
    try keychain.set(item.primaryKey, secret: SecretBytes(Data([9])))
    let error = #expect(throws: AtRestError.self) { _ = try account.report() }
    #expect(error?.refusal == .damaged)
    try account.logOut()
    expect(.loggedOut) { _ = try account.report() }
  }

  @Test func theDeviceHasOneToo() async throws {
    let test = try TestVault()
    let vault = try await Vault.open(
      in: test.folder, keychain: test.device.keychain(), options: test.options)
    try await vault.device.store("text", in: .note)
    let report = try vault.device.report()
    #expect(report.account == nil)
    #expect(report.entries.map(\.name) == ["note"])
    #expect(report.page(.text).contains("Until when: Until the app deletes it"))
  }
}
