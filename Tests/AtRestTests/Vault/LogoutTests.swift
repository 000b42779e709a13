import AtRest
import Foundation
import Testing

@Suite struct LogoutTests {
  @Test func leavesNothingOfTheAccount() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    let ada = try vault.logIn("ada")
    try eva.store("hers", in: .note)
    try eva.store(Data(count: 20_000), in: .report)
    try eva.preferences.set(1, forKey: "size")
    try ada.store("of Ada", in: .note)
    try ada.store(Data(count: 20_000), in: .report)
    try eva.logOut()
    #expect(test.valueFiles.count == 1)
    #expect(try vault.accounts == ["ada"])
    #expect(try ada.value(in: .note) == "of Ada")
    let again = try vault.logIn("eva")
    #expect(try again.contents.isEmpty)
    #expect(try again.preferences.object(forKey: "size") == nil)
  }

  @Test func endsWhatStillHoldsTheAccount() throws {
    let test = try TestVault()
    let vault = try test.open()
    let former = try vault.logIn("eva")
    try former.logOut()
    _ = try vault.logIn("eva")
    expect(.loggedOut) { try former.store("late", in: .note) }
    expect(.loggedOut) {
      try former.store(Data(count: 20_000), in: .report)
    }
    expect(.loggedOut) { _ = try former.value(in: .note) }
    expect(.loggedOut) { try former.setPassphrase(phrase()) }
    #expect(test.valueFiles.isEmpty)
    try former.logOut()
  }

  @Test func needsNoUnlock() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("hers", in: .note)
    test.device.lock()
    try eva.logOut()
    try test.device.unlock()
    let items = try vault.keychain.items(matching: KeychainQuery(.genericPassword))
    #expect(items.compactMap(\.attributes.account).sorted() == ["clock", "registry"])
  }

  @Test func isFinishedAtTheNextOpening() throws {
    struct Interruption: Error {}
    let test = try TestVault()
    test.options.onLogout = { throw Interruption() }
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("hers", in: .note)
    #expect(throws: Interruption.self) { try eva.logOut() }
    #expect(try vault.accounts.isEmpty)
    #expect(throws: Interruption.self) { _ = try test.open() }
    nonisolated(unsafe) var runs = 0
    test.options.onLogout = { runs += 1 }
    _ = try test.open()
    _ = try test.open()
    #expect(runs == 1)
  }

  @Test func isRefusedForTheDevice() throws {
    let test = try TestVault()
    let device = try test.open().device
    expect(.notPermitted) { try device.logOut() }
  }
}
