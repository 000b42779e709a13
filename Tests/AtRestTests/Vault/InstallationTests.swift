import AtRest
import AtRestSimulation
import Foundation
import Testing

@Suite struct InstallationTests {
  @Test func wipesWhatAnEarlierInstallationLeft() throws {
    let test = try TestVault()
    let first = try test.open()
    #expect(first.launch == .first)
    try first.logIn("eva").store("hers", in: .note)
    try first.device.store("of all", in: .note)
    // The folder is deleted with the application, but the items stay.
    try FileManager.default.removeItem(at: test.folder)
    let second = try test.open()
    #expect(second.launch == .firstAfterReinstallation)
    #expect(try second.accounts.isEmpty)
    #expect(try second.device.contents.isEmpty)
    #expect(try test.open().launch == .further)
  }

  @Test func wipesWhileLocked() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store("hers", in: .note)
    try FileManager.default.removeItem(at: test.folder)
    try test.device.restart()
    #expect(try test.open().launch == .firstAfterReinstallation)
    try test.device.unlock()
    let items = try test.device.keychain().items(matching: KeychainQuery(.genericPassword))
    #expect(items.compactMap(\.attributes.account).sorted() == ["clock", "registry"])
  }

  @Test func refusesAMissingFolderWhereToldTo() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store("hers", in: .note)
    let moved = test.folder.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: test.folder, to: moved)
    test.options.reinstallation = .refuse
    expect(.notPermitted) { _ = try test.open() }
    try? FileManager.default.removeItem(at: test.folder)
    try FileManager.default.moveItem(at: moved, to: test.folder)
    #expect(try test.open().logIn("eva").value(in: .note) == "hers")
  }

  @Test func refusesTheFolderOfAnotherInstallation() throws {
    let test = try TestVault()
    let other = try TestVault()
    try test.open().logIn("eva").store("hers", in: .note)
    _ = try other.open()
    expect(.notPermitted) {
      _ = try Vault.open(in: other.folder, keychain: test.device.keychain())
    }
    #expect(try test.open().logIn("eva").value(in: .note) == "hers")
  }

  @Test func refusesTheFolderOfAnotherStore() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store(Data(count: 20_000), in: .report)
    let other = try SimulatedDevice()
    expect(.notPermitted) {
      _ = try Vault.open(in: test.folder, keychain: other.keychain(), options: test.options)
    }
    #expect(try test.open().logIn("eva").value(in: .report) == Data(count: 20_000))
  }

  @Test func startsAnewWhereTheRegistryIsGone() throws {
    let test = try TestVault()
    let vault = try test.open()
    try vault.logIn("eva").store(Data(count: 20_000), in: .report)
    // A crash during a wipe leaves this state: the items are gone, the files are not.
    try vault.keychain.delete(matching: KeychainQuery(.genericPassword))
    #expect(try test.open().launch == .first)
    #expect(test.valueFiles.isEmpty)
  }

  @Test func keepsVaultsOfOtherNamesApart() throws {
    let test = try TestVault()
    try test.open().device.store("of main", in: .note)
    let folder = test.folder.appendingPathComponent("second")
    var options = test.options
    options.name = "second"
    let second = try Vault.open(in: folder, keychain: test.device.keychain(), options: options)
    #expect(second.launch == .first)
    try second.wipe()
    #expect(try test.open().device.value(in: .note) == "of main")
  }

  @Test func wipesAllAtOnce() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store(Data(count: 20_000), in: .report)
    test.device.lock()
    try vault.wipe()
    #expect(test.valueFiles.isEmpty)
    expect(.wiped) { try eva.store("late", in: .note) }
    try test.device.unlock()
    #expect(try test.device.keychain().items(matching: KeychainQuery(.genericPassword)).isEmpty)
    #expect(try test.open().launch == .first)
  }
}
