import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// The TPM counts wrong passcodes, whatever is put back on the disk.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct WrongPasscodeTests {
  @Test func theRightPasscodeIsRefusedAfterFourWrongOnes() throws {
    let store = try DeviceStore()
    try store.create().close()
    let keybag = try store.open()
    let before = try store.copy()
    var codes: [AtRestError.Code?] = []
    for _ in 0..<4 { codes.append(refusal { try keybag.unlock("wrong") }?.code) }
    // swtpm allows three. The fourth is not tried.
    #expect(
      codes == [.authenticationFailed, .authenticationFailed, .authenticationFailed, .throttled])
    let refused = refusal { try keybag.unlock(DeviceStore.passcode) }
    #expect(refused?.code == .throttled)
    #expect(refused?.message.contains("1000 seconds") == true)
    #expect(try keybag.failedAttempts() == 3)
    // Putting the folders back gives no attempt.
    keybag.close()
    try store.putBack(before)
    #expect(refusal { try store.open().unlock(DeviceStore.passcode) }?.code == .throttled)
    // The control: the administrator resets the count.
    try store.device.tool("tpm2_dictionarylockout", "--clear-lockout")
    try store.open().unlock(DeviceStore.passcode)
  }

  @Test func aStoreOpensDuringTheLockout() throws {
    let store = try DeviceStore()
    try store.create().close()
    let keybag = try store.open()
    for _ in 0..<4 { _ = refusal { try keybag.unlock("wrong") } }
    #expect(try store.open().lockState == .beforeFirstUnlock)
  }
}
