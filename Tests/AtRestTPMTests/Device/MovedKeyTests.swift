import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A device key moves between a file and the TPM, and the stores stay as they are.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct MovedKeyTests {
  private func inFile(_ store: DeviceStore) throws {
    let keybag = try Keybag.create(
      at: store.storeFolder, device: FileDeviceKey.openOrCreate(in: store.deviceFolder),
      passcode: SecretBytes(utf8: DeviceStore.passcode), options: DeviceStore.options)
    keybag.close()
  }

  @Test func intoTheTPMAndBack() throws {
    let store = try DeviceStore()
    let transport = store.device.transport
    try inFile(store)
    _ = try TPMDeviceKey.moveIntoTPM(in: store.deviceFolder, transport: transport)
    #expect(try DeviceRoot.present(in: store.deviceFolder) == .tpm)
    do {
      let keybag = try store.open()
      try keybag.unlock(DeviceStore.passcode)
      #expect(!keybag.isPasscodeBound)
      #expect(keybag.risks.contains { $0.id == "passcode-outside-device" })
      try keybag.bindPasscode(SecretBytes(utf8: DeviceStore.passcode))
      #expect(keybag.isPasscodeBound)
      #expect(!keybag.risks.contains { $0.id == "passcode-outside-device" })
      try keybag.releasePasscode(SecretBytes(utf8: DeviceStore.passcode))
    }
    try TPMDeviceKey.moveIntoFile(in: store.deviceFolder, transport: transport)
    #expect(try DeviceRoot.present(in: store.deviceFolder) == .file)
    let keybag = try Keybag.open(
      at: store.storeFolder, device: FileDeviceKey.openOrCreate(in: store.deviceFolder))
    try keybag.unlock(DeviceStore.passcode)
    // The TPM keeps nothing of it.
    #expect(try store.device.tool("tpm2_getcap", "handles-nv-index") == "")
  }

  @Test func nothingOfTheFileIsLeft() throws {
    let store = try DeviceStore()
    try inFile(store)
    let folder = store.deviceFolder
    let key = try Data(contentsOf: folder.appendingPathComponent("device.key"))
    _ = try TPMDeviceKey.moveIntoTPM(in: folder, transport: store.device.transport)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for file in files {
      guard let bytes = try? Data(contentsOf: folder.appendingPathComponent(file)) else { continue }
      #expect(bytes.range(of: key[10..<42]) == nil, "\(file)")
    }
    #expect(!files.contains { !$0.hasPrefix("tpm") && $0.hasSuffix(".keybag") })
  }

  @Test func aKeyInUseDoesNotMove() throws {
    let store = try DeviceStore()
    try inFile(store)
    let user = try FileDeviceKey.openOrCreate(in: store.deviceFolder)
    let error = refusal {
      try TPMDeviceKey.moveIntoTPM(in: store.deviceFolder, transport: store.device.transport)
    }
    #expect(error?.code == .busy)
    _ = try user.recall("place-x")
  }

  @Test func aFileKeyIsNotMadeBesideTheTPM() throws {
    let store = try DeviceStore()
    try store.create().close()
    #expect(
      refusal { try FileDeviceKey.openOrCreate(in: store.deviceFolder) }?.code == .invalidArgument)
  }

  @Test func aPasscodeInTheTPMIsNotOpenedByAFileKey() throws {
    let store = try DeviceStore()
    try store.create().close()
    try TPMDeviceKey.moveIntoFile(in: store.deviceFolder, transport: store.device.transport)
    let keybag = try Keybag.open(
      at: store.storeFolder, device: FileDeviceKey.openOrCreate(in: store.deviceFolder))
    #expect(refusal { try keybag.unlock(DeviceStore.passcode) }?.code == .otherDevice)
    #expect(try keybag.failedAttempts() == 0)
  }
}
