import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// Setting, changing and removing a passcode touches class keys and no data.
@Suite struct PasscodeTests {
  @Test func settingOneKeepsWhatIsThere() throws {
    let store = try MemoryStore()
    let wrapped = try store.keybag.wrapAll()
    try store.keybag.set("1234")
    #expect(store.keybag.hasPasscode && store.keybag.available == .all)
    let restarted = try store.open()
    #expect(refusal { try restarted.unlock() } == .authenticationFailed)
    try restarted.unlock("1234")
    for (keyClass, data) in wrapped { #expect(restarted.opens(data, keyClass)) }
    #expect(refusal { try restarted.set("5678") } == .duplicate)
  }

  @Test func changingItKeepsWhatIsThere() throws {
    let store = try MemoryStore(passcode: "1234")
    let wrapped = try store.keybag.wrapAll()
    try store.keybag.change("1234", "a longer one")
    let restarted = try store.open()
    #expect(refusal { try restarted.unlock("1234") } == .authenticationFailed)
    try restarted.unlock("a longer one")
    for (keyClass, data) in wrapped { #expect(restarted.opens(data, keyClass)) }
  }

  @Test func removingItKeepsWhatIsThereButForOneClass() throws {
    let store = try MemoryStore(passcode: "1234")
    let wrapped = try store.keybag.wrapAll()
    try store.keybag.remove("1234")
    #expect(!store.keybag.hasPasscode && store.keybag.available == .withoutPasscode)
    for keybag in [store.keybag, try store.open()] {
      for (keyClass, data) in wrapped {
        #expect(keybag.opens(data, keyClass) == (keyClass != .whenPasscodeSetThisDeviceOnly))
      }
    }
    // A new passcode does not bring the class key back.
    try store.keybag.set("1234")
    let lost = try #require(wrapped[.whenPasscodeSetThisDeviceOnly])
    #expect(!store.keybag.opens(lost, .whenPasscodeSetThisDeviceOnly))
  }

  @Test func withTheWrongPasscodeNothingChanges() throws {
    let store = try MemoryStore(passcode: "1234")
    #expect(refusal { try store.keybag.change("x", "y") } == .authenticationFailed)
    #expect(refusal { try store.keybag.remove("x") } == .authenticationFailed)
    #expect(try store.keybag.failedAttempts() == 2)
    try store.open().unlock("1234")
  }

  @Test func aChangeWhileLockedDoesNotUnlock() throws {
    let store = try MemoryStore(passcode: "1234")
    store.keybag.lock()
    try store.keybag.change("1234", "5678")
    #expect(store.keybag.lockState == .locked)
    #expect(store.keybag.available == .available(.always, .afterFirstUnlock))
    let fresh = try store.open()
    try fresh.change("5678", "9")
    #expect(fresh.available == .available(.always))
  }

  @Test func anEmptyPasscodeIsRefused() throws {
    let store = try MemoryStore()
    #expect(refusal { try store.keybag.set("") } == .invalidArgument)
    #expect(!store.keybag.hasPasscode)
    #expect(refusal { try MemoryStore(passcode: "") } == .invalidArgument)
    let other = try MemoryStore(passcode: "1234")
    #expect(refusal { try other.keybag.change("1234", "") } == .invalidArgument)
    try other.open().unlock("1234")
  }

  @Test func theCostIsRaisedWithoutANewStore() throws {
    let store = try MemoryStore(passcode: "1234")
    let dearer = PasswordKDF.unchecked(.scrypt, cost: 5, blockSize: 8, parallelism: 1)
    try store.keybag.changePasscode(
      from: SecretBytes(utf8: "1234"), to: SecretBytes(utf8: "1234"), kdf: dearer,
      allowsWeakPasscode: true)
    let restarted = try store.open()
    #expect(restarted.kdf == dearer)
    try restarted.unlock("1234")
  }

  @Test func aStoreWithoutAPasscodeSaysWhatItRisks() throws {
    let store = try MemoryStore()
    #expect(store.keybag.risks.contains { $0.id == "no-passcode" })
    try store.keybag.set("1234")
    #expect(!store.keybag.risks.contains { $0.id == "no-passcode" })
  }
}
