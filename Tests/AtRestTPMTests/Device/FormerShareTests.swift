import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A former share of a store's effaceable key is refused by the TPM itself, even if whoever may use the
/// TPM puts the former folders back and forges the anchor.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct FormerShareTests {
  private func counterValue(_ store: DeviceStore) throws -> UInt64 {
    try TPMDeviceKey(in: store.deviceFolder, transport: store.device.transport).counterValue()
  }

  @Test func theFormerPasscodeOpensNothing() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    try keybag.change(DeviceStore.passcode, "another horse 43")
    keybag.close()
    let now = try store.copy()
    let value = try counterValue(store)

    try store.putBack(before)
    let forged = try ForgedAnchor(of: store)
    #expect(try forged.value < value)
    try forged.write(value)
    // The device takes the forged anchor for the present one, and the TPM refuses the share.
    let device = try TPMDeviceKey(in: store.deviceFolder, transport: store.device.transport)
    #expect(try device.recall("\(keybag.identity.text).attempts") != nil)
    #expect(refusal { try device.recall("\(keybag.identity.text).keybag") }?.code == .rolledBack)
    #expect(refusal { try store.open() }?.code == .rolledBack)

    // The control: with the present folders, a forged anchor changes nothing.
    try store.putBack(now)
    try ForgedAnchor(of: store).write(value)
    try store.open().unlock("another horse 43")
  }

  @Test func aWipedStoreStaysWiped() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    try keybag.wipe()
    let value = try counterValue(store)
    try store.putBack(before)
    try ForgedAnchor(of: store).write(value)
    let error = try #require(refusal { try store.open() })
    #expect([.rolledBack, .damaged].contains(error.code), "\(error)")
  }

  /// The counter of the wiped store is made again, as whoever may use the owner hierarchy can.
  @Test func aCounterThatIsMadeAgainDoesNotOpenIt() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    let counters = try store.device.tpm().perform { try $0.counters() }
    #expect(counters.count == 2)
    try keybag.wipe()
    let left = try store.device.tpm().perform { try $0.counters() }
    let freed = try #require(counters.first { !left.contains($0) })
    let value = try counterValue(store)
    try store.putBack(before)
    let forged = try ForgedAnchor(of: store)
    try forged.write(value)
    try store.device.tool(
      "tpm2_nvdefine", freed.description, "-C", "o", "-a",
      "authread|authwrite|no_da|nt=counter", "-s", "8", "-p",
      "hex:" + forged.counterAuthorization.map { String(format: "%02x", $0) }.joined())
    try store.device.tool(
      "tpm2_nvincrement", freed.description, "-C", freed.description, "-P",
      "hex:" + forged.counterAuthorization.map { String(format: "%02x", $0) }.joined())
    #expect(refusal { try store.open() }?.code == .rolledBack)
  }

  @Test func aSecondStoreKeepsItsShare() throws {
    let store = try DeviceStore()
    let first = try store.create()
    let other = store.folder.appendingPathComponent("other")
    let second = try Keybag.create(
      at: other, device: first.device, passcode: SecretBytes(utf8: "second horse 1"),
      options: DeviceStore.options)
    second.close()
    try first.change(DeviceStore.passcode, "another horse 43")
    try first.wipe()
    let device = try TPMDeviceKey(in: store.deviceFolder, transport: store.device.transport)
    try Keybag.open(at: other, device: device).unlock("second horse 1")
  }
}
