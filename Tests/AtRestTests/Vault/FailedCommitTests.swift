import AtRest
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// A committed change stands, even if the device could not record it.
@Suite struct FailedCommitTests {
  @Test func leavesTheNewValueWithItsFile() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vault-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let keys = folder.appendingPathComponent("device", isDirectory: true)
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"), device: FileDeviceKey.openOrCreate(in: keys),
      options: Keybag.Options(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    let vault = try Vault.open(in: folder.appendingPathComponent("data"), keychain: keychain)
    try vault.device.store(Data(repeating: 1, count: 20_000), in: .report)

    // The device cannot record the change, as with a full disk.
    let counters = try FileManager.default.contentsOfDirectory(atPath: keys.path)
      .filter { $0.contains("counter") }.map { keys.appendingPathComponent($0) }
    try #require(counters.count == 1)
    let aside = counters[0].appendingPathExtension("aside")
    try FileManager.default.moveItem(at: counters[0], to: aside)
    try FileManager.default.removeItem(at: aside)
    try FileManager.default.createDirectory(
      at: counters[0], withIntermediateDirectories: false)
    // The change is committed, so it stands.
    try vault.device.store(Data(repeating: 2, count: 20_000), in: .report)
    #expect(keychain.risks.contains { $0.id == "anchor-behind" })
    try FileManager.default.removeItem(at: counters[0])

    let value = try vault.device.value(in: .report)
    #expect(value == Data(repeating: 2, count: 20_000))
  }
}
