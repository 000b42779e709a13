import AtRest
import AtRestSimulation
import Foundation
import Testing

/// A damaged registry closes the compartments that cannot be named, not the vault.
@Suite struct DamagedRegistryTests {
  private static let registryKey = PrimaryKey.genericPassword(
    service: "atrest.vault.main", account: "registry")

  /// Returns a vault with two accounts and a malformed registry.
  private func damaged() throws -> TestVault {
    let test = try TestVault()
    let vault = try test.open()
    try vault.device.store("of the device", in: .note)
    for name in ["eva", "ada"] {
      let account = try vault.logIn(name)
      try account.store("of \(name)", in: .note)
      try account.store(Data(repeating: 7, count: 20_000), in: .report)
    }
    try test.device.keychain().set(Self.registryKey, secret: SecretBytes(Data([1, 2, 3])))
    return test
  }

  /// Returns the item with the name of the account that has the given value.
  private func nameItem(of text: String, _ test: TestVault) throws -> PrimaryKey {
    let items = try test.device.keychain().items(
      matching: KeychainQuery(.genericPassword, [.account: "account"]), secrets: true)
    let found = items.first { item in
      item.withSecret { String(decoding: $0, as: UTF8.self) } == text
    }
    let item = try #require(found)
    return .genericPassword(
      service: item.attributes.service ?? "", account: "account", group: item.group)
  }

  @Test func itIsMadeAnewFromTheItems() throws {
    let test = try damaged()
    let vault = try test.open()
    #expect(vault.launch == .further)
    #expect(try vault.device.value(in: .note) == "of the device")
    #expect(try vault.accounts.sorted() == ["ada", "eva"])
    for name in ["eva", "ada"] {
      #expect(try vault.logIn(name).value(in: .note) == "of \(name)")
      #expect(try vault.logIn(name).value(in: .report).count == 20_000)
    }
    #expect(test.valueFiles.count == 2)
    // From then on, the registry is complete.
    let again = try test.open()
    try again.logIn("eva").logOut()
    #expect(try again.accounts == ["ada"])
    #expect(test.valueFiles.count == 1)
  }

  @Test func aNameThatIsDamagedClosesItsCompartmentAlone() throws {
    let test = try damaged()
    let keychain = try test.device.keychain()
    // Without its name, the compartment looks like the device's own: neither of the two opens.
    try keychain.delete(nameItem(of: "eva", test))
    let vault = try test.open()
    #expect(try vault.logIn("ada").value(in: .note) == "of ada")
    expect(.damaged) { _ = try vault.logIn("eva") }
    expect(.damaged) { _ = try vault.device }
    expect(.damaged) { _ = try vault.accounts }
    // No file is collected that may belong to a value.
    #expect(try vault.purge() == 0)
    #expect(test.valueFiles.count == 2)
    // Logging out the account that can be named is final.
    try vault.logIn("ada").logOut()
    expect(.damaged) { _ = try vault.logIn("ada") }
    #expect(test.valueFiles.count == 1)
    try vault.wipe()
    #expect(try keychain.count() == 0)
    #expect(try test.open().launch == .first)
  }

  @Test func whileLockedItSaysLocked() throws {
    let test = try damaged()
    _ = try test.open()
    try test.device.keychain().set(Self.registryKey, secret: SecretBytes(Data([1, 2, 3])))
    try test.device.restart()
    let locked = try test.open()
    expect(.locked) { _ = try locked.logIn("eva") }
    #expect(test.valueFiles.count == 2)
    try test.device.unlock()
    #expect(try locked.logIn("eva").value(in: .note) == "of eva")
  }

  /// Control: a vault with the folder of another installation does not open.
  @Test func withoutItsFolderItIsDamaged() throws {
    let test = try damaged()
    try FileManager.default.removeItem(at: test.folder)
    expect(.damaged) { _ = try test.open() }
  }

  @Test func anObjectThatIsOpenGoesOn() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("text", in: .note)
    try test.device.keychain().set(Self.registryKey, secret: SecretBytes(Data([1, 2, 3])))
    try eva.store("more", in: .session)
    #expect(try eva.value(in: .note) == "text")
    #expect(try vault.logIn("eva").value(in: .session) == "more")
  }
}
