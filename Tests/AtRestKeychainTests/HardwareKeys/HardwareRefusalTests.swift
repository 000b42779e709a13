import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// Missing, unavailable and other hardware give three errors, and none of them says that the key is
/// missing or that the user was not authenticated.
@Suite struct HardwareRefusalTests {
  let message = Data("an order".utf8)

  @Test func aDeviceWithoutHardwareMakesNoKey() throws {
    let keychain = try SimulatedDevice().keychain()
    #expect(!keychain.hasHardwareKeys)
    #expect(refusal { try keychain.createHardwareKey(tag: "k") } == .noHardware)
    #expect(try keychain.items(matching: KeychainQuery(.key)).isEmpty)
    // Control: a key in memory can be made there, and a device with hardware makes both.
    try keychain.createKey(.p256, tag: "k")
    let other = try SimulatedDevice(hasHardwareKeys: true).keychain()
    #expect(other.hasHardwareKeys)
    try other.createHardwareKey(tag: "k")
  }

  @Test func unavailableHardwareIsUnavailable() throws {
    let device = try SimulatedDevice(hasHardwareKeys: true)
    let keychain = try device.keychain()
    let publicKey = try keychain.createHardwareKey(tag: "k")
    device.isHardwareAvailable = false
    #expect(refusal { try keychain.createHardwareKey(tag: "new") } == .deviceUnavailable)
    let unavailable = thrown { try keychain.sign(message, tag: "k") }
    #expect(unavailable?.code == .deviceUnavailable)
    #expect(unavailable?.refusal == nil)
    #expect(
      refusal { try keychain.sharedSecret(with: publicKey, tag: "k").count }
        == .deviceUnavailable)
    // What needs no hardware works.
    #expect(try keychain.publicKey(tag: "k") == publicKey)
    #expect(try keychain.items(matching: KeychainQuery(.key)).count == 1)
    device.isHardwareAvailable = true
    #expect(try publicKey.isValidSignature(keychain.sign(message, tag: "k"), for: message))
    device.isHardwareAvailable = false
    try keychain.deleteKey(tag: "k")
    #expect(refusal { try keychain.sign(message, tag: "k") } == .notFound)
  }

  @Test func removedHardwareIsUnavailable() throws {
    let device = try ExchangeableHardware()
    let keychain = try device.keychain()
    try keychain.createHardwareKey(tag: "k")
    _ = try keychain.sign(message, tag: "k")
    device.removeHardware()
    #expect(refusal { try keychain.sign(message, tag: "k") } == .deviceUnavailable)
  }

  @Test func theHardwareOfAnotherDeviceIsAnotherDevice() throws {
    let device = try ExchangeableHardware()
    let keychain = try device.keychain()
    let publicKey = try keychain.createHardwareKey(tag: "k")
    try device.replaceHardware()
    #expect(refusal { try keychain.sign(message, tag: "k") } == .otherDevice)
    #expect(
      refusal { try keychain.sharedSecret(with: publicKey, tag: "k").count } == .otherDevice)
    // Control: a key that the new hardware made works.
    try keychain.createHardwareKey(tag: "new")
    _ = try keychain.sign(message, tag: "new")
  }

  @Test func aKeyThatDoesNotBelongToItsPublicHalfIsDamaged() throws {
    let device = try ExchangeableHardware()
    let hardware = try #require(device.hardwareKeys)
    let key = try hardware.makeKey()
    let other = try hardware.makeKey()
    let digest = Data(count: 32)
    var changed = key.representation
    changed[changed.count - 1] ^= 1
    for wrong in [
      HardwareKey(representation: key.representation, publicKey: other.publicKey),
      HardwareKey(representation: changed, publicKey: key.publicKey),
    ] {
      #expect(refusal { try hardware.signature(ofDigest: digest, with: wrong) } == .damaged)
      #expect(
        refusal { try hardware.sharedSecret(of: wrong, with: other.publicKey).count } == .damaged)
    }
    // Control: the key as it was made signs.
    #expect(try hardware.signature(ofDigest: digest, with: key).count == 64)
  }
}
