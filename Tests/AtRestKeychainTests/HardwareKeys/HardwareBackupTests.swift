import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// A key in hardware returns with a backup on its own device, and on no other.
@Suite struct HardwareBackupTests {
  let device: SimulatedDevice
  let message = Data("an order".utf8)

  init() throws {
    device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: true)
    let keychain = try device.keychain()
    try keychain.createHardwareKey(tag: "k")
    try keychain.createKey(.p256, tag: "migratable")
  }

  @Test func onTheSameDeviceItSigns() throws {
    let publicKey = try device.keychain().publicKey(tag: "k")
    let backup = try device.backup(passphrase: "four words of my own")
    #expect(backup.summary.thisDeviceOnly == 1)
    #expect(try device.restore(backup, passphrase: "four words of my own").restored == 2)
    let keychain = try device.keychain()
    let signature = try keychain.sign(message, tag: "k")
    #expect(try publicKey.isValidSignature(signature, for: message))
    #expect(try keychain.hardwareKey(tag: "k") != nil)
  }

  @Test func onAnotherDeviceItIsLeftOut() throws {
    let backup = try device.backup(passphrase: "four words of my own")
    let other = try SimulatedDevice(hasHardwareKeys: true)
    let summary = try other.restore(backup, passphrase: "four words of my own")
    #expect(summary.leftOut.count == 1)
    #expect(refusal { try other.keychain().sign(message, tag: "k") } == .notFound)
    // Control: a migratable key in memory is restored.
    _ = try other.keychain().sign(message, tag: "migratable")
  }

  @Test func anErasedDeviceHasNoKey() throws {
    let before = try device.keychain()
    try device.erase()
    #expect(refusal { try before.sign(message, tag: "k") } != nil)
    #expect(refusal { try before.hardwareKey(tag: "k") } != nil)
    #expect(refusal { try device.keychain().sign(message, tag: "k") } == .notFound)
  }
}
