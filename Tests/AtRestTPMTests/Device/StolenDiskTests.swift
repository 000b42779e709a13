import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// Whoever has a copy of both folders, and another TPM, opens nothing.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct StolenDiskTests {
  @Test func aCopyDoesNotOpenOnAnotherTPM() throws {
    let store = try DeviceStore()
    try store.create().close()
    let other = try SoftwareTPM()
    let error = refusal { try store.open(other.transport) }
    #expect(error?.code == .otherDevice)
    // The control: its own TPM opens it.
    try store.open().unlock(DeviceStore.passcode)
  }

  @Test func theDeviceFolderHasNoKeyInTheClear() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let marker = Data("fingerprint".utf8)
    let key = try #require(keybag.device as? TPMDeviceKey)
    try key.remember(marker, as: "\(keybag.identity.text).test", durably: true)
    let files = try FileManager.default.subpathsOfDirectory(atPath: store.deviceFolder.path)
    #expect(!files.contains("device.key"))
    // The control: the record is found in its file.
    let record = try Data(
      contentsOf: store.deviceFolder.appendingPathComponent(
        "tpm/\(keybag.identity.text).test"))
    #expect(record.range(of: marker) != nil)
  }
}
