import AtRest
import AtRestSimulation
import Bank
import Foundation
import Testing

@Suite struct OtherPhoneTests {
  @Test func afterAReinstallationNobodyIsLoggedIn() async throws {
    let phone = try Phone()
    _ = try await phone.eva()
    let own = PrimaryKey.genericPassword(service: "bank", account: "rating shown")
    try await phone.device.keychain().add(own, secret: SecretBytes(utf8: "yes"))
    // The folder is deleted with the application, but the items of the keychain remain.
    try FileManager.default.removeItem(at: phone.folder)
    let bank = try phone.bank()
    #expect(bank.vault.launch == .firstAfterReinstallation)
    #expect(try bank.customer == nil)
    await expect(.notFound) { _ = try phone.device.keychain().secret(for: own) }
    let eva = try await bank.logIn("eva", password: SecretBytes(utf8: password))
    #expect(try eva.cards() == [])
    #expect(try !eva.account.hasPassphrase)
  }

  @Test func aBackupBringsItBackOnThePhone() async throws {
    let phone = try Phone()
    _ = try await phone.eva()
    try phone.device.restore(
      phone.device.backup(passphrase: "of the backup"), passphrase: "of the backup")
    let eva = try #require(try phone.bank().customer)
    try await eva.account.unlock(passphrase: SecretBytes(utf8: passphrase))
    #expect(try eva.card(ending: "5556").number == visa)
  }

  @Test func onAnotherPhoneEvaHasToLogInAnew() async throws {
    let phone = try Phone()
    _ = try await phone.eva()
    let backup = try phone.device.backup(passphrase: "of the backup")
    let other = try Phone(
      SimulatedDevice(restoring: backup, passphrase: "of the backup", passcode: "1234"))
    try FileManager.default.removeItem(at: other.folder)
    try FileManager.default.copyItem(at: phone.folder, to: other.folder)
    let bank = try other.bank()
    let known = try #require(try bank.customer)
    await expect(.notFound) { _ = try await known.statements() }
    let eva = try await bank.logIn("eva", password: SecretBytes(utf8: password))
    await expect(.notFound) { _ = try eva.card(ending: "5556") }
    let copy = other.folder.appendingPathComponent("copy.jpeg")
    await expect(.notFound) { try eva.showPassport(copy) }
  }
}
