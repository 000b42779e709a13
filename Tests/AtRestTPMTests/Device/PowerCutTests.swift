import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// The TPM counts a power cut after an unlock like a wrong passcode. AtRest's own count does not, and the
/// messages tell both.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct PowerCutTests {
  @Test func powerCutsAreNotCalledWrongPasscodes() throws {
    let store = try DeviceStore()
    try store.create().close()
    for cuts in 1...3 {
      try store.open().unlock(DeviceStore.passcode)
      store.device.stop()
      try store.device.start()
      #expect(try store.device.tpm().perform { try $0.state() }.wrongAttempts == cuts)
    }
    let keybag = try store.open()
    let error = try #require(refusal { try keybag.unlock(DeviceStore.passcode) })
    #expect(error.code == .throttled)
    #expect(error.message.contains("power cuts"))
    #expect(error.message.contains("AtRest has counted no wrong passcode"))
    #expect(try keybag.failedAttempts() == 0)
  }

  /// The control: AtRest counts what was wrong.
  @Test func wrongPasscodesAreToldApart() throws {
    let store = try DeviceStore()
    try store.create().close()
    let keybag = try store.open()
    for _ in 0..<3 { _ = refusal { try keybag.unlock("wrong") } }
    let error = try #require(refusal { try keybag.unlock(DeviceStore.passcode) })
    #expect(error.message.contains("AtRest has counted 3 wrong passcodes"))
  }
}
