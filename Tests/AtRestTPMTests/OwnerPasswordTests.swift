import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// A TPM whose owner hierarchy has a password is used with it, and without it is refused.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"), .serialized)
struct OwnerPasswordTests {
  private func withPassword<Outcome>(
    _ password: String?, _ body: () throws -> Outcome
  ) rethrows -> Outcome {
    TPMOwner.setPassword { password.map { SecretBytes(utf8: $0) } }
    defer { TPMOwner.setPassword { nil } }
    return try body()
  }

  @Test func aStoreIsMadeOpenedAndWipedWithThePassword() throws {
    let store = try DeviceStore()
    try store.device.tool("tpm2_changeauth", "-c", "owner", "owner's secret")
    for wrong in [nil, "wrong", String(repeating: "x", count: 33)] {
      let error = try #require(withPassword(wrong) { refusal { try store.create() } })
      #expect(error.code == (wrong?.count == 33 ? .invalidArgument : .notPermitted))
      #expect(try DeviceRoot.present(in: store.deviceFolder) == nil)
    }
    try withPassword("owner's secret") { try store.create().close() }
    #expect(withPassword(nil) { refusal { try store.open() } }?.code == .notPermitted)
    try withPassword("owner's secret") {
      let keybag = try store.open()
      // A wrong passcode is not mistaken for a wrong password of the owner.
      #expect(refusal { try keybag.unlock("wrong") }?.code == .authenticationFailed)
      try keybag.unlock(DeviceStore.passcode)
      try keybag.change(DeviceStore.passcode, "another horse 43")
      try keybag.wipe()
      let counters = try store.device.tpm().perform { try $0.counters() }
      #expect(counters.count == 1)
    }
  }

  /// A wrong password of the owner is no attempt at the passcode.
  @Test func aWrongPasswordIsNotCounted() throws {
    let store = try DeviceStore()
    try store.create().close()
    let keybag = try store.open()
    try store.device.tool("tpm2_changeauth", "-c", "owner", "owner's secret")
    withPassword("wrong") {
      #expect(refusal { try keybag.unlock(DeviceStore.passcode) }?.code == .notPermitted)
    }
    try withPassword("owner's secret") {
      #expect(try keybag.failedAttempts() == 0)
      try keybag.unlock(DeviceStore.passcode)
    }
  }

  /// With the storage key in the TPM, as systems provision it, opening needs no password.
  @Test func withAPersistentStorageKeyAStoreOpensWithoutThePassword() throws {
    let store = try DeviceStore()
    try store.device.tool(
      "tpm2_createprimary", "-Q", "-C", "o", "-G", "ecc256:null:aes128cfb", "-a",
      "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt", "-c",
      "primary.ctx")
    try store.device.tool("tpm2_evictcontrol", "-C", "o", "-c", "primary.ctx", "0x81000001")
    try store.device.tool("tpm2_flushcontext", "-t")
    try store.create().close()
    try store.device.tool("tpm2_changeauth", "-c", "owner", "owner's secret")
    try withPassword(nil) {
      let keybag = try store.open()
      try keybag.unlock(DeviceStore.passcode)
      try keybag.change(DeviceStore.passcode, "another horse 43")
    }
  }
}
