import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// The keychain checks class and access control before the hardware uses a key.
///
/// The hardware is unavailable during the refusals, so a call that reached it would throw
/// `deviceUnavailable`.
@Suite struct HardwareAccessTests {
  let device: SimulatedDevice
  let keychain: Keychain
  let publicKey: PublicKey
  let message = Data("an order".utf8)

  init() throws {
    device = try SimulatedDevice(passcode: "1234", hasHardwareKeys: true)
    keychain = try device.keychain()
    publicKey = try keychain.createHardwareKey(
      tag: "k",
      protection: .controlled(AccessControl(.whenUnlockedThisDeviceOnly, .devicePasscode)))
    device.isHardwareAvailable = false
  }

  /// The codes of the errors of each use of the key.
  private func refusals() -> [AtRestError.Code?] {
    [
      refusal { try keychain.sign(message, tag: "k") },
      refusal { try keychain.sharedSecret(with: publicKey, tag: "k").count },
      refusal { try keychain.hardwareKey(tag: "k") },
    ]
  }

  @Test func aUserWhoRefusesIsAsked() throws {
    device.user.will(.cancel, .cancel, .cancel)
    #expect(refusals() == [.canceled, .canceled, .canceled])
    #expect(device.user.prompts.count == 3)
  }

  @Test func aCallThatMayNotAskIsRefused() throws {
    let context = AuthenticationContext(interaction: .forbidden)
    #expect(
      refusal { try keychain.sign(message, tag: "k", context: context) }
        == .interactionNotAllowed)
    #expect(
      refusal { try keychain.hardwareKey(tag: "k", context: context) } == .interactionNotAllowed)
  }

  @Test func aLockedKeyIsLocked() throws {
    device.lock()
    #expect(refusals() == [.locked, .locked, .locked])
    #expect(device.user.prompts.isEmpty)
  }

  @Test func afterTheProofTheHardwareIsUsed() throws {
    #expect(refusals() == [.deviceUnavailable, .deviceUnavailable, nil])
    device.isHardwareAvailable = true
    #expect(refusals() == [nil, nil, nil])
    #expect(device.user.prompts.count == 6)
    #expect(try publicKey.isValidSignature(keychain.sign(message, tag: "k"), for: message))
  }

  @Test func anApplicationPasswordProtectsTheKeyToo() throws {
    device.isHardwareAvailable = true
    let password = AuthenticationContext(applicationPassword: SecretBytes(utf8: "s3cr3t"))
    let publicKey = try keychain.createHardwareKey(
      tag: "p", protection: .controlled(.applicationPassword(.whenUnlockedThisDeviceOnly)),
      context: password)
    let wrong = AuthenticationContext(applicationPassword: SecretBytes(utf8: "wrong"))
    #expect(
      refusal { try keychain.sign(message, tag: "p", context: wrong) } == .authenticationFailed)
    let signature = try keychain.sign(message, tag: "p", context: password)
    #expect(try publicKey.isValidSignature(signature, for: message))
  }
}
