import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The limit of attempts holds even if the wipe fails.
@Suite struct AttemptLimitTests {
  @Test func aWipeThatFailsGivesNoFurtherAttempts() throws {
    let storage = UnsteadyStorage()
    let device = MemoryDeviceKey()
    let keybag = try Keybag.create(
      in: storage, device: device, passcode: SecretBox(SecretBytes(utf8: "1234")),
      options: .forTesting(attemptLimit: 3))
    storage.setImmutable(true)
    for _ in 0..<2 { #expect(refusal { try keybag.unlock("x") } == .authenticationFailed) }
    for passcode in ["x", "1234", "x", "1234"] {
      #expect(refusal { try keybag.unlock(passcode) } == .wiped)
      #expect(refusal { try Keybag.open(in: storage, device: device) } == .wiped)
    }
    #expect(try storage.read("keybag") != nil, "Control: the file is still there.")
  }

  @Test func whereNothingCanBeWrittenNothingIsTried() throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: 3)
    for _ in 0..<2 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    // The third attempt is counted, and the process ends before its wipe.
    let limit = WriteLimit(1)
    let failing = try Keybag.open(
      in: UnsteadyStorage(store.storage, limit), device: UnsteadyDevice(store.device, limit))
    #expect(refusal { try failing.unlock("x") } == .wiped)
    #expect(try store.open().failedAttempts() == 3)
    // The wipe comes before the passcode is tried, even for the correct passcode.
    #expect(refusal { try store.open().unlock("1234") } == .wiped)
    #expect(refusal { try store.open().lockState } == .notFound)
  }

  @Test func belowTheLimitTheRightPasscodeOpens() throws {
    let store = try MemoryStore(passcode: "1234", attemptLimit: 3)
    for _ in 0..<2 { #expect(refusal { try store.keybag.unlock("x") } == .authenticationFailed) }
    try store.open().unlock("1234")
  }
}
