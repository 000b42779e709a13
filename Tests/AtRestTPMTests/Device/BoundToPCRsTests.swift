import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A device key that is bound to PCRs opens after they changed with its recovery key only.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct BoundToPCRsTests {
  @Test func theRecoveryKeyOpensIt() throws {
    let store = try DeviceStore()
    let transport = store.device.transport
    let folder = store.deviceFolder
    let recovery: SecretBox
    do {
      let creation = try TPMDeviceKey.create(in: folder, pcrs: [16], transport: transport)
      guard let key = creation.recoveryKey() else {
        Issue.record("There is no recovery key.")
        return
      }
      recovery = SecretBox(key)
    }
    #expect(try TPMDeviceKey(in: folder, transport: transport).pcrs == [16])
    try store.device.tool(
      "tpm2_pcrextend", "16:sha256=\(String(repeating: "0", count: 63))1")
    let refused = refusal { try TPMDeviceKey(in: folder, transport: transport) }
    #expect(refused?.code == .notPermitted)
    #expect(refused?.remedy.contains("recovery key") == true)
    let wrong = refusal {
      _ = try TPMDeviceKey.reseal(
        in: folder, recoveryKey: .random(count: 32), pcrs: [16], transport: transport)
    }
    #expect(wrong?.code == .authenticationFailed)
    let new = try TPMDeviceKey.reseal(
      in: folder, recoveryKey: recovery.bytes.duplicate(), pcrs: [16], transport: transport)
    let isNew = new != nil
    #expect(!isNew)
    #expect(try TPMDeviceKey(in: folder, transport: transport).pcrs == [16])
    _ = try TPMDeviceKey.reseal(in: folder, pcrs: [], transport: transport)
    try store.device.tool(
      "tpm2_pcrextend", "16:sha256=\(String(repeating: "0", count: 63))2")
    #expect(try TPMDeviceKey(in: folder, transport: transport).pcrs == [])
  }
}
