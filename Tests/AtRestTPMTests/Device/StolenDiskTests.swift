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
}
