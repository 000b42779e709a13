import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Synchronizable items are returned only to queries that include them.
@Suite struct SynchronizableTests {
  private func keychain() throws -> Keychain {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "local")
    try keychain.put(password(synchronizable: true), "shared")
    return keychain
  }

  private func secrets(
    _ keychain: Keychain, _ scope: KeychainQuery.Synchronizable
  ) throws -> [String?] {
    try keychain.items(
      matching: KeychainQuery(.genericPassword, [.account: "eva"], synchronizable: scope),
      secrets: true
    ).map(\.text)
  }

  @Test func withAndWithoutAreTwoItems() throws {
    let keychain = try keychain()
    #expect(try keychain.text(password()) == "local")
    #expect(try keychain.text(password(synchronizable: true)) == "shared")
  }

  @Test func aQueryFindsNothingSynchronizableUnlessItSaysSo() throws {
    let keychain = try keychain()
    let unsaid = try keychain.items(matching: KeychainQuery(.genericPassword), secrets: true)
    #expect(unsaid.map(\.text) == ["local"])
    #expect(try secrets(keychain, .no) == ["local"])
    #expect(try secrets(keychain, .yes) == ["shared"])
    #expect(Set(try secrets(keychain, .any)) == ["local", "shared"])
    try keychain.delete(password())
    #expect(refusal { try keychain.text(password()) } == .notFound)
    #expect(refusal { try keychain.delete(password()) } == .notFound)
    #expect(refusal { try keychain.change(password(), "") } == .notFound)
  }

  @Test func deletingAllTakesTheScopeThatIsNamed() throws {
    let first = try keychain()
    #expect(try first.delete(matching: KeychainQuery(.genericPassword)) == 1)
    #expect(try first.text(password(synchronizable: true)) == "shared")
    let second = try keychain()
    #expect(try second.delete(matching: KeychainQuery(.genericPassword, synchronizable: .any)) == 2)
    #expect(try second.count() == 0)
  }

  @Test func aReferenceFindsItUnasked() throws {
    let keychain = try SimulatedDevice().keychain()
    let reference = try keychain.put(password(synchronizable: true), "shared")
    #expect(try keychain.text(reference) == "shared")
    #expect(try keychain.item(for: reference).primaryKey.isSynchronizable)
    try keychain.delete(reference)
    #expect(try keychain.count() == 0)
  }

  @Test func anItemBecomesSynchronizableWithoutASecondOne() throws {
    let keychain = try SimulatedDevice().keychain()
    let reference = try keychain.put(password(), "s3cr3t")
    try keychain.update(password(), ItemChange(synchronizable: true))
    #expect(refusal { try keychain.text(password()) } == .notFound)
    #expect(try keychain.text(password(synchronizable: true)) == "s3cr3t")
    #expect(try keychain.item(for: password(synchronizable: true)).reference == reference)
    #expect(try keychain.count() == 1)
  }

  @Test func accessControlWithSynchronizableIsRefused() throws {
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    let control = ItemProtection.controlled(AccessControl(.whenUnlocked, .userPresence))
    #expect(
      refusal { try keychain.put(password(synchronizable: true), "", [:], control) }
        == .invalidArgument)
    try keychain.put(password(synchronizable: true))
    #expect(
      refusal {
        try keychain.update(password(synchronizable: true), ItemChange(protection: control))
      } == .invalidArgument)
    try keychain.put(password(), "", [:], control)
    #expect(
      refusal { try keychain.update(password(), ItemChange(synchronizable: true)) }
        == .invalidArgument)
  }

  @Test(arguments: Accessibility.allCases)
  func everyAccessibilityMayBeSynchronizable(_ accessibility: Accessibility) throws {
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    let key = password(accessibility.name, synchronizable: true)
    try keychain.put(key, "s3cr3t", [:], .accessible(accessibility))
    #expect(try keychain.text(key) == "s3cr3t")
  }
}
