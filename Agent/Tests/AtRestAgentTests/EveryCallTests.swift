@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent
@testable import AtRestCrypto

/// No call of a keychain forgets the agent that serves its store.
struct EveryCallTests {
  private let run: AgentRun
  private let claim: AgentClaim
  /// The keychain of a process that has not unlocked the store.
  private let keychain: Keychain

  init() throws {
    run = try AgentRun()
    claim = try AgentClaim(store: run.location.store, socket: run.socket)
    try run.unlock()
    keychain = try Keychain.open(run.location.openKeybag(), identity: ApplicationIdentity("mail"))
  }

  private func error(_ body: () throws -> Void) -> AtRestError? {
    do {
      try body()
      return nil
    } catch {
      return error as? AtRestError
    }
  }

  /// A keychain of a process that unlocked the store.
  private func unlocked() throws -> Keychain {
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    return try Keychain.open(keybag, identity: .owner())
  }

  @Test func deletingAGroupNeedsAGrantThatAllowsToWrite() throws {
    try run.grant("mail")
    #expect(error { try keychain.deleteAllItems() }?.code == .notPermitted)
    #expect(try run.text(AgentRun.mail) == "mail secret")
    // A group that the identity does not have.
    #expect(error { try keychain.deleteAllItems(in: "bank") }?.code == .missingEntitlement)
    // Control: with the grant, the group is deleted in one step, which the log has.
    try run.grant("mail", mayWrite: true)
    try keychain.add(.internetPassword(server: "a.b", account: "c"), secret: SecretBytes(utf8: "s"))
    #expect(try keychain.deleteAllItems() == 2)
    let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
    let deletions = entries.filter { $0.operation == "delete-all" }
    #expect(deletions.map(\.answer) == ["not-permitted", "begun", "done"])
    #expect(deletions.allSatisfy { $0.subject == "group mail" })
    // Nothing else was deleted.
    #expect(
      try unlocked().items(matching: KeychainQuery(.genericPassword)).map(\.group) == ["bank"])
  }

  /// A reinstallation deletes through the agent too.
  @Test func anInstallationNeedsTheGrant() throws {
    let folder = run.folder.appendingPathComponent("app")
    #expect(try keychain.beginInstallation(in: folder) == .first)
    try FileManager.default.removeItem(at: folder)
    #expect(error { try keychain.beginInstallation(in: folder) }?.code == .notPermitted)
    try run.grant("mail", mayWrite: true)
    #expect(try keychain.beginInstallation(in: folder) == .firstAfterReinstallation)
    #expect(error { _ = try run.text(AgentRun.mail) }?.code == .notFound)
  }

  /// A key that may not be looked at without its password may be in hardware.
  @Test func aKeyWithAPasswordIsNotTakenForOneInMemory() throws {
    try run.grant("mail")
    let password = AuthenticationContext(applicationPassword: SecretBytes(utf8: "sesame"))
    try unlocked().createKey(
      .p256, tag: "sealed",
      protection: .controlled(.applicationPassword(.whenUnlockedThisDeviceOnly)), group: "mail",
      context: password)
    #expect(
      error { _ = try keychain.hardwareKey(tag: "sealed", context: password) }?.code == .locked)
  }

  /// The agent tells that a key is not in hardware.
  @Test func aKeyInMemoryHasNoHardwareForm() throws {
    try run.grant("mail", mayWrite: true)
    try keychain.createKey(.p256, tag: "memory")
    #expect(try keychain.hardwareKey(tag: "memory") == nil)
    #expect(error { _ = try keychain.hardwareKey(tag: "none") }?.code == .notFound)
    // Control: without the agent, the store is locked for this process.
    let direct = try Keychain.open(
      run.location.openKeybag(), identity: ApplicationIdentity("mail"), usesAgent: false)
    #expect(error { _ = try direct.hardwareKey(tag: "memory") }?.code == .locked)
  }

  /// What the agent does not do is refused with the way out.
  @Test func whatTheAgentDoesNotDoNamesTheWayOut() throws {
    let owner = try Keychain.open(run.location.openKeybag(), identity: .owner())
    let file = run.folder.appendingPathComponent("backup")
    let phrase = "correct horse battery staple, twice"
    let refused = error {
      try owner.backup(to: file, passphrase: SecretBytes(utf8: phrase), kdf: .forTesting)
    }
    #expect(refused?.code == .locked)
    #expect(refused?.message.contains("makes no backups") == true)
    #expect(refused?.remedy.contains("Unlock the store in this process") == true)
    // Control: unlocked here, the call succeeds.
    try owner.keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try owner.backup(to: file, passphrase: SecretBytes(utf8: phrase), kdf: .forTesting)
  }

  /// The number of all items needs no unlock, and no grant.
  @Test func itemsAreCountedWithoutTheAgent() throws {
    let before = try keychain.count()
    try run.grant("mail")
    // The grant is an item.
    #expect(try keychain.count() == before + 1)
    #expect(try keychain.count() == unlocked().count())
  }

  @Test func theCommandWritesAnExtractableKeyThroughTheAgent() throws {
    try run.grant("mail")
    let atrest = try CommandLineProgram(run)
    let made = try atrest.withPasscode(
      "keygen", "--tag", "key", "--group", "mail", "--extractable")
    #expect(made.status == 0, "\(made)")
    let written = try atrest("get", "--tag", "key", "--group", "mail")
    #expect(written.status == 0 && written.text.hasPrefix("-----BEGIN PRIVATE KEY-----"))
    // Control: a key of a group that is not granted is not written.
    _ = try atrest.withPasscode("keygen", "--tag", "other", "--group", "bank", "--extractable")
    let refused = try atrest("get", "--tag", "other", "--group", "bank")
    #expect(refused.status != 0 && !refused.text.contains("PRIVATE KEY"))
  }
}
