import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A key file that cannot be erased is never a key that was moved.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct LeftoverKeyTests {
  /// A folder in the place where a file is erased, which no user can erase as a file.
  private func block(_ store: DeviceStore) throws -> URL {
    let folder = store.deviceFolder.appendingPathComponent("device.key.old")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  @Test func aKeyThatCannotBeErasedStaysInItsFile() throws {
    let store = try DeviceStore()
    try Keybag.create(
      at: store.storeFolder, device: FileDeviceKey.create(in: store.deviceFolder),
      passcode: SecretBytes(utf8: DeviceStore.passcode), options: DeviceStore.options
    ).close()
    let obstacle = try block(store)
    let error = try #require(
      refusal {
        try TPMDeviceKey.moveIntoTPM(in: store.deviceFolder, transport: store.device.transport)
      })
    #expect(error.code == .system && error.message.contains("stays in its file"))
    #expect(try DeviceRoot.present(in: store.deviceFolder) == .file)
    #expect(try store.device.tpm().perform { try $0.counters() }.isEmpty)
    try Keybag.open(at: store.storeFolder, device: FileDeviceKey(in: store.deviceFolder))
      .unlock(DeviceStore.passcode)
    // The control: without the obstacle, the key moves, and no file has it.
    try FileManager.default.removeItem(at: obstacle)
    _ = try TPMDeviceKey.moveIntoTPM(in: store.deviceFolder, transport: store.device.transport)
    #expect(try DeviceRoot.present(in: store.deviceFolder) == .tpm)
    let names = try FileManager.default.contentsOfDirectory(atPath: store.deviceFolder.path)
    #expect(!names.contains { $0.hasPrefix("device.key") })
    #expect(try !store.open().risks.contains { $0.id == "device-key-in-file" })
  }

  /// The names under which a key can be left: by the move, or by a replacement that was killed.
  @Test(arguments: ["device.key", "device.key.old", "device.key.new-12-34"])
  func aKeyThatIsLeftIsARiskUntilItIsErased(_ name: String) throws {
    let store = try DeviceStore()
    try store.create().close()
    let left = store.deviceFolder.appendingPathComponent(name)
    // A folder cannot be erased like a file.
    try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
    for _ in 0..<2 {
      let risk = try #require(
        try store.open().risks.first { $0.id == "device-key-in-file" })
      #expect(risk.message.contains(left.path))
    }
    #expect(DeviceRoot.leftoverRisks(in: store.deviceFolder).count == 1)
    // The next opening erases what can be erased.
    try FileManager.default.removeItem(at: left)
    try Data(repeating: 7, count: 50).write(to: left)
    #expect(try !store.open().risks.contains { $0.id == "device-key-in-file" })
    #expect(!FileManager.default.fileExists(atPath: left.path))
  }

  @Test func aFormerTPMFolderIsARiskUntilItIsGone() throws {
    let store = try DeviceStore()
    try store.create().close()
    let transport = store.device.transport
    let obstacle = store.deviceFolder.appendingPathComponent("tpm/folder")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: false)
    try TPMDeviceKey.moveIntoFile(in: store.deviceFolder, transport: transport)
    let risks = try FileDeviceKey(in: store.deviceFolder).risks
    #expect(risks.contains { $0.id == "former-device-folder" })
    let former = store.deviceFolder.appendingPathComponent("tpm.former")
    for name in try FileManager.default.contentsOfDirectory(atPath: former.path)
    where name.hasPrefix("folder") {
      try FileManager.default.removeItem(at: former.appendingPathComponent(name))
    }
    let after = try FileDeviceKey(in: store.deviceFolder).risks
    #expect(!after.contains { $0.id == "former-device-folder" })
    #expect(!FileManager.default.fileExists(atPath: former.path))
  }
}
