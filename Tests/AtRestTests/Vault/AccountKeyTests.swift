import AtRest
import AtRestSimulation
import Foundation
import Testing

/// Keys of pseudonyms, stamped values and envelopes belong to an account and end with its logout.
@Suite struct AccountKeyTests {
  private let recipient = "analytics.example.com"
  private let context = Data("document 7".utf8)

  @Test func aLogoutDestroysThem() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    let name = try eva.pseudonyms.pseudonym(for: "7", to: recipient)
    let stamped = try eva.stamper().stamp(["daily": 500], name: "limits")
    let envelope = try eva.envelopeKeys(named: "documents").seal(Data([1]), context: context)
    // Control: before the logout, another object of the account has the same keys.
    let same = try test.open().logIn("eva")
    #expect(try same.pseudonyms.pseudonym(for: "7", to: recipient) == name)
    #expect(try same.stamper().open(stamped, name: "limits") == ["daily": 500])
    #expect(
      try Data(copying: same.envelopeKeys(named: "documents").open(envelope, context: context))
        == Data([1]))

    try eva.logOut()
    #expect(try test.allItems() == ["clock", "registry"])
    let again = try vault.logIn("eva")
    #expect(try again.pseudonyms.pseudonym(for: "7", to: recipient) != name)
    expect(.notFound) { _ = try again.stamper().open(stamped, name: "limits") }
    expect(.notFound) {
      _ = try again.envelopeKeys(named: "documents").open(envelope, context: context)
    }
  }

  @Test func alsoWhileTheStoreIsLocked() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    _ = try eva.pseudonyms.pseudonym(for: "7", to: recipient)
    try eva.stamper().stamp(["daily": 500], name: "limits")
    try eva.envelopeKeys(named: "documents").rotate()
    test.device.lock()
    try eva.logOut()
    try test.device.unlock()
    #expect(try test.allItems() == ["clock", "registry"])
  }

  @Test func noneIsCreatedAfterTheLogout() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let stamped = try eva.stamper().stamp(["daily": 500], name: "limits")
    let (pseudonyms, stamper) = (eva.pseudonyms, eva.stamper())
    let keys = eva.envelopeKeys(named: "documents")
    let envelope = try keys.seal(Data([1]), context: context)
    try eva.logOut()
    expect(.loggedOut) { _ = try pseudonyms.pseudonym(for: "7", to: recipient) }
    expect(.loggedOut) { try pseudonyms.rotate(for: recipient) }
    expect(.loggedOut) { _ = try stamper.stamp(["daily": 1], name: "limits") }
    expect(.loggedOut) { _ = try stamper.open(stamped, name: "limits") }
    expect(.loggedOut) { _ = try keys.seal(Data([1]), context: context) }
    expect(.loggedOut) { _ = try keys.open(envelope, context: context) }
    expect(.loggedOut) { _ = try keys.rotate() }
    #expect(try test.allItems() == ["clock", "registry"])
  }

  /// A locked store is no reason to draw new keys, and says nothing about the account.
  @Test func lockedKeysStayAsTheyAre() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let stamped = try eva.stamper().stamp(["daily": 500], name: "limits")
    test.device.lock()
    expect(.locked) { _ = try eva.stamper().open(stamped, name: "limits") }
    expect(.locked) { _ = try eva.stamper().stamp(["daily": 1], name: "limits") }
    try test.device.unlock()
    #expect(try eva.stamper().open(stamped, name: "limits") == ["daily": 500])
  }

  /// A key that asks the user keeps neither the vault nor a list from opening.
  @Test func aKeyThatAsksTheUserHindersNothingElse() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("hers", in: .note)
    try eva.envelopeKeys(
      named: "documents", protection: .controlled(AccessControl(.whenUnlocked, .userPresence))
    ).rotate()
    test.device.user.will(.cancel)
    let again = try test.open().logIn("eva")
    #expect(try again.vault.purge() == 0)
    #expect(try again.contents.map(\.name) == ["note"])
    // Only the report, which names the key, asks for it.
    expect(.canceled) { _ = try again.report() }
    try again.logOut()
    #expect(try test.allItems() == ["clock", "registry"])
  }

  @Test func theDevicesPseudonymsSurviveADamagedRegistry() throws {
    let test = try TestVault()
    let vault = try test.open()
    let name = try vault.device.pseudonyms.pseudonym(for: "7", to: recipient)
    try vault.keychain.set(
      .genericPassword(service: "atrest.vault.main", account: "registry"),
      secret: SecretBytes(Data([1])))
    #expect(try test.open().device.pseudonyms.pseudonym(for: "7", to: recipient) == name)
    try test.open().wipe()
    #expect(try test.allItems().isEmpty)
  }

  @Test func accountsAndTheDeviceHaveTheirOwn() throws {
    let test = try TestVault()
    let vault = try test.open()
    let (eva, ada) = (try vault.logIn("eva"), try vault.logIn("ada"))
    let names = try [eva, ada, vault.device].map {
      try $0.pseudonyms.pseudonym(for: "7", to: recipient)
    }
    #expect(Set(names).count == 3)
    try eva.logOut()
    #expect(try ada.pseudonyms.pseudonym(for: "7", to: recipient) == names[1])
    #expect(try vault.device.pseudonyms.pseudonym(for: "7", to: recipient) == names[2])
  }

  @Test func pseudonymsCanBeForgottenWithoutTheValues() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store("hers", in: .note)
    let name = try eva.pseudonyms.pseudonym(for: "7", to: recipient)
    test.device.lock()
    try eva.pseudonyms.forgetAll()
    try test.device.unlock()
    #expect(try eva.pseudonyms.pseudonym(for: "7", to: recipient) != name)
    #expect(try eva.value(in: .note) == "hers")
  }

  /// A dot in a name does not make two names one.
  @Test func namesWithDotsStayApart() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    let one = try eva.stamper(keyName: "a.b").stamp([1], name: "c")
    let other = try eva.stamper(keyName: "a").stamp([2], name: "b.c")
    #expect(try eva.stamper(keyName: "a.b").open(one, name: "c") == [1])
    #expect(try eva.stamper(keyName: "a").open(other, name: "b.c") == [2])
  }
}
