import AtRest
import AtRestSimulation
import Foundation
import Testing

/// The folder of another vault is refused, and nothing in it is lost.
@Suite struct MistakenFolderTests {
  @Test func ofAVaultOfAnotherNameIsRefused() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store(Data(count: 20_000), in: .report)
    var options = test.options
    options.name = "second"
    expect(.notPermitted) {
      _ = try Vault.open(in: test.folder, keychain: test.device.keychain(), options: options)
    }
    #expect(try test.open().logIn("eva").value(in: .report) == Data(count: 20_000))
  }

  @Test func ofAnotherApplicationIsRefused() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store(Data(count: 20_000), in: .report)
    expect(.notPermitted) {
      _ = try Vault.open(
        in: test.folder,
        keychain: test.device.keychain(as: ApplicationIdentity("com.example.other")),
        options: test.options)
    }
    #expect(try test.open().logIn("eva").value(in: .report) == Data(count: 20_000))
  }

  @Test func missesNothingThatWasNeverStored() throws {
    let test = try TestVault()
    test.options.reinstallation = .refuse
    _ = try test.open()
    // A crash during the first launch leaves this state.
    try FileManager.default.removeItem(at: test.folder)
    let vault = try test.open()
    try vault.device.store("text", in: .note)
    try FileManager.default.removeItem(at: test.folder)
    expect(.notPermitted) { _ = try test.open() }
  }
}
