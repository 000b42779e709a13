import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// The counters in the TPM are found, told apart, and freed.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct CounterUseTests {
  private func count(_ device: SoftwareTPM) throws -> Int {
    try device.tpm().perform { try $0.counters() }.count
  }

  @Test func wipingFreesTheCounterOfTheStore() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    #expect(try count(store.device) == 2)
    try keybag.wipe()
    #expect(try count(store.device) == 1)
    // The device remembers the wipe.
    let device = try TPMDeviceKey(in: store.deviceFolder, transport: store.device.transport)
    #expect(try device.recall("\(keybag.identity.text).keybag") != nil)
    #expect(try RememberedStore.all(on: device).isEmpty)
  }

  @Test func onlyCountersOfAtRestAreListed() throws {
    let store = try DeviceStore()
    try store.create().close()
    // Another program's counter, another kind of index, and an index outside of the range.
    try store.device.tool(
      "tpm2_nvdefine", "0x1a70001", "-C", "o", "-a", "ownerread|ownerwrite|nt=counter", "-s", "8")
    try store.device.tool(
      "tpm2_nvdefine", "0x1a70002", "-C", "o", "-a", "ownerread|ownerwrite", "-s", "8")
    try store.device.tool(
      "tpm2_nvdefine", "0x1800001", "-C", "o", "-a", "authread|authwrite|no_da|nt=counter", "-s",
      "8")
    #expect(try count(store.device) == 2)
  }
}
