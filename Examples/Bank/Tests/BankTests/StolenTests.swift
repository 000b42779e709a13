import AtRest
import AtRestSimulation
import Bank
import Foundation
import Testing

/// Tests a machine with a real store that is copied or stolen.
@Suite struct StolenTests {
  private let passcode = "48291 and more"

  /// Creates Eva's machine, with the application's folder, the store and the device key.
  private func machine() async throws -> URL {
    let machine = try temporaryFolder()
    let keybag = try await Keybag.create(
      at: machine.appendingPathComponent("store"), device: device(machine),
      passcode: SecretBytes(utf8: passcode), options: Keybag.Options(kdf: .simulated))
    let eva = try await bank(machine, keybag).logIn("eva", password: SecretBytes(utf8: password))
    try eva.keepThings()
    _ = try await eva.statements()
    keybag.close()
    return machine
  }

  private func device(_ machine: URL) throws -> FileDeviceKey {
    try FileDeviceKey.openOrCreate(in: machine.appendingPathComponent("device"))
  }

  private func bank(_ machine: URL, _ keybag: Keybag) throws -> Bank {
    var options = Bank.options
    options.passphraseKDF = .simulated
    return try Bank(
      in: machine.appendingPathComponent("bank"),
      keychain: Keychain.open(keybag, identity: ApplicationIdentity("bank")),
      options: options)
  }

  /// Starts the application with the passcode.
  private func start(_ machine: URL) throws -> Bank {
    let keybag = try Keybag.open(
      at: machine.appendingPathComponent("store"), device: device(machine))
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
    return try bank(machine, keybag)
  }

  @Test func theFoldersAndThePasscodeOpenNothingElsewhere() async throws {
    let machine = try await machine()
    let other = try temporaryFolder()
    defer { for folder in [machine, other] { try? FileManager.default.removeItem(at: folder) } }
    for name in ["bank", "store"] {
      try FileManager.default.copyItem(
        at: machine.appendingPathComponent(name), to: other.appendingPathComponent(name))
    }
    #expect(throws: AtRestError.self) { _ = try start(other) }
    // Control: with the device key, the same folders open.
    #expect(try await start(machine).customer?.statements().count == 2)
  }

  @Test func theWholeMachineWithItsPasscodeOpensNoCard() async throws {
    let machine = try await machine()
    defer { try? FileManager.default.removeItem(at: machine) }
    let eva = try #require(try start(machine).customer)
    await expect(.passphraseRequired) { _ = try eva.card(ending: "5556") }
    await expect(.passphraseRequired) {
      try eva.showPassport(machine.appendingPathComponent("copy.jpeg"))
    }
    await expect(.authenticationFailed) {
      try await eva.account.unlock(passphrase: SecretBytes(utf8: passcode))
    }
    // Control: the passphrase opens the card.
    try await eva.account.unlock(passphrase: SecretBytes(utf8: passphrase))
    #expect(try eva.card(ending: "5556").number == visa)
  }

  @Test func noFileHoldsAnythingInPlain() async throws {
    let machine = try await machine()
    defer { try? FileManager.default.removeItem(at: machine) }
    // Four digits alone would be in the encrypted files by chance.
    let plain = [password, passphrase, visa, "2026-10", "card 5556"].map {
      Data($0.utf8)
    }
    func found() throws -> [Data] {
      let files = FileManager.default.enumerator(at: machine, includingPropertiesForKeys: nil)
      let contents = try (files?.allObjects as? [URL] ?? []).filter { !$0.hasDirectoryPath }
        .map { try Data(contentsOf: $0) }
      return (plain + [passport.prefix(64)]).filter { secret in
        contents.contains { $0.range(of: secret) != nil }
      }
    }
    #expect(try found() == [])
    // Control: plaintext is found.
    try Data(passport + plain[2] + plain[4]).write(to: machine.appendingPathComponent("scan.jpeg"))
    #expect(try found().count == 3)
  }
}
