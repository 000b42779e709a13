import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Crypto
import Foundation
import Testing

/// The private half of a key of the secure enclave is in the TPM, and nowhere else.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct EnclaveKeyTests {
  private func keychain(_ keybag: Keybag) throws -> Keychain {
    try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app"))
  }

  private func make(_ use: EnclaveKey.Use, in keychain: Keychain) throws -> EnclaveKey {
    try keychain.makeEnclaveKey(
      for: use, protection: .accessible(.whenUnlockedThisDeviceOnly),
      context: AuthenticationContext())
  }

  @Test func aKeySigns() throws {
    let store = try DeviceStore()
    let made = try make(.signing, in: keychain(store.create()))
    #expect(made.isInHardware)
    // Other objects open it, as another process does.
    let keybag = try store.open()
    let keychain = try keychain(keybag)
    let key = try keychain.enclaveKey(made.representation, for: .signing)
    let digest = SHA256.hash(data: Data("pay".utf8))
    func sign() throws -> Data {
      try keychain.withPrivateKey(of: key, context: AuthenticationContext()) {
        try $0.signature(forDigest: Data(digest), .ecdsaRaw)
      }
    }
    #expect(refusal { try sign() }?.code == .locked)
    try keybag.unlock(DeviceStore.passcode)
    let publicKey = try P256.Signing.PublicKey(
      x963Representation: made.publicKey.x963Representation())
    #expect(
      publicKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: sign()), for: digest))
  }

  @Test func aKeyAgrees() throws {
    let store = try DeviceStore()
    defer { withExtendedLifetime(store) {} }
    let keychain = try keychain(store.create())
    let key = try make(.keyAgreement, in: keychain)
    let other = P256.KeyAgreement.PrivateKey()
    let secret = try keychain.withPrivateKey(of: key, context: AuthenticationContext()) {
      try Data(
        copying: $0.sharedSecret(
          with: PublicKey(x963Representation: other.publicKey.x963Representation)))
    }
    let same = try other.sharedSecretFromKeyAgreement(
      with: P256.KeyAgreement.PublicKey(
        x963Representation: key.publicKey.x963Representation()))
    #expect(same.withUnsafeBytes { Data($0) } == secret)
  }

  @Test func anotherTPMRefusesIt() throws {
    let store = try DeviceStore()
    let key = try make(.signing, in: keychain(store.create()))
    let elsewhere = try DeviceStore()
    defer { withExtendedLifetime(elsewhere) {} }
    let other = try keychain(elsewhere.create())
    #expect(
      refusal { try other.enclaveKey(key.representation, for: .signing) }?.code == .otherDevice)
  }
}
