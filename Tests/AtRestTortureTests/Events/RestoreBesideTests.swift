import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A restore reaches every program at its next use: items, and the class keys of files. It locks nobody,
/// because the passcode stays the same.
@Suite struct RestoreBesideTests {
  private static var phrase: SecretBytes { SecretBytes(utf8: "wren under 7 copper kettles") }

  private static func keybag(_ folder: URL, _ scratch: Scratch) throws -> Keybag {
    try Keybag.create(
      at: folder, device: FileDeviceKey.openOrCreate(in: scratch.device),
      options: .init(kdf: .forTesting))
  }

  @Test func itemsAndFilesOfTheFormerStoreOpen() throws {
    let witness = try WitnessProcess()
    let folder = witness.scratch.folder
    let former = try Self.keybag(folder.appendingPathComponent("other"), witness.scratch)
    try ProtectedFiles(former).protect(
      .data(Data("contents".utf8)), to: .file(folder.appendingPathComponent("witness/former")),
      protection: .complete)
    let keychain = try Keychain.open(former, identity: .owner())
    try keychain.add(
      .genericPassword(service: "witness", account: "restored", group: "app"),
      secret: SecretBytes(utf8: "x"))
    let backup = folder.appendingPathComponent("backup")
    _ = try keychain.backup(to: backup, passphrase: Self.phrase, kdf: .forTesting)
    // Control: before the restore, neither is there.
    #expect(try witness.answer("read-former") == "not-permitted")
    #expect(try witness.answer("read-restored") == "not-found")
    let present = try witness.keybag()
    try present.unlock(passcode: SecretBytes(utf8: WitnessProcess.passcode))
    _ = try Keychain.open(present, identity: .owner()).restore(
      from: backup, passphrase: Self.phrase)
    #expect(try witness.answer("read-former") == "done")
    #expect(try witness.answer("read-restored") == "done")
    #expect(try witness.answer("state") == "unlocked")
    #expect(try witness.answer("handle-read") == "done")
  }
}
