import AtRest
import AtRestKeybag
import Foundation
import Testing

/// A call that fails after its transaction took place loses nothing.
@Suite struct FailedCommitTests {
  @Test func leavesTheNewValueWithItsFile() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vault-\(UUID().uuidString)", isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let keys = folder.appendingPathComponent("device", isDirectory: true)
    let keybag = try Keybag.create(
      at: folder.appendingPathComponent("store"), device: FileDeviceKey(in: keys),
      options: Keybag.Options(kdf: .forTesting))
    let keychain = try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
    let vault = try Vault.open(in: folder.appendingPathComponent("data"), keychain: keychain)
    try vault.device.store(Data(repeating: 1, count: 20_000), in: .report)

    // The device cannot remember the change: as a full disk does.
    let counters = try FileManager.default.contentsOfDirectory(atPath: keys.path)
      .filter { $0.contains("counter") }.map { keys.appendingPathComponent($0) }
    try #require(counters.count == 1)
    let aside = counters[0].appendingPathExtension("aside")
    try FileManager.default.moveItem(at: counters[0], to: aside)
    try FileManager.default.removeItem(at: aside)
    try FileManager.default.createDirectory(
      at: counters[0], withIntermediateDirectories: false)
    #expect(throws: AtRestError.self) {
      try vault.device.store(Data(repeating: 2, count: 20_000), in: .report)
    }
    try FileManager.default.removeItem(at: counters[0])

    let value = try vault.device.value(in: .report)
    #expect([1, 2].contains(value.first) && value.count == 20_000)
  }
}
