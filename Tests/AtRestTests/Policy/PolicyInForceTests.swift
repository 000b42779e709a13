import AtRest
import AtRestKeychain
import Foundation
import Testing

@Suite struct PolicyInForceTests {
  @Test func theItemHasTheClassThatWasDecided() throws {
    let test = try TestVault()
    test.options.policy[.consumerGrade].accessibility = .afterFirstUnlockThisDeviceOnly
    let vault = try test.open()
    try vault.device.store("text", in: .note)
    let items = try vault.keychain.items(matching: KeychainQuery(.genericPassword))
    let protections = Set(items.map(\.protection.accessibility))
    #expect(protections == [.afterFirstUnlockThisDeviceOnly, .always])
    test.device.lock()
    #expect(try vault.device.value(in: .note) == "text")
  }

  @Test func whatNeedsAPasscodeGoesWithIt() throws {
    let test = try TestVault()
    test.options.policy = .strict
    let vault = try test.open()
    try vault.device.store("text", in: .note)
    try test.device.removePasscode()
    expect(.notFound) { _ = try vault.device.value(in: .note) }
    #expect(throws: AtRestError.self) { try vault.device.store("text", in: .note) }
  }

  @Test func nothingArrivesOnAnotherDevice() throws {
    let test = try TestVault()
    try test.open().device.store("text", in: .note)
    let backup = try test.device.backup(passphrase: "of the backup")
    let other = try TestVault()
    _ = try other.device.restore(backup, passphrase: "of the backup")
    try FileManager.default.createDirectory(at: other.folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: test.folder.appendingPathComponent("installation"),
      to: other.folder.appendingPathComponent("installation"))
    let vault = try other.open()
    #expect(vault.launch == .further)
    expect(.notFound) { _ = try vault.device.value(in: .note) }
  }

  @Test func whatMayMigrateArrivesWithTheFolder() throws {
    let test = try TestVault()
    test.options.policy[.consumerGrade].accessibility = .whenUnlocked
    let vault = try test.open()
    try vault.logIn("eva").store("text", in: .note)
    try vault.logIn("eva").store(Data(count: 20_000), in: .report)
    let backup = try test.device.backup(passphrase: "of the backup")
    let other = try TestVault()
    _ = try other.device.restore(backup, passphrase: "of the backup")
    try FileManager.default.copyItem(at: test.folder, to: other.folder)
    let eva = try other.open().logIn("eva")
    #expect(try eva.value(in: .note) == "text")
    #expect(try eva.value(in: .report) == Data(count: 20_000))
  }
}
