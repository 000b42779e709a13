import AtRestKeychain
import AtRestSimulation
import CryptoKit
import Foundation
import Testing

@Suite struct SigningTests {
  @Test(arguments: [false, true]) func aKeySignsDataAndDigests(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { device in
      #expect(SecureEnclave.isAvailable)
      let key = try SigningKey()
      #expect(try signs(key))
      let digest = SHA512.hash(data: message)
      let signature = try key.signature(for: digest)
      #expect(key.publicKey.isValidSignature(signature, for: digest))
      #expect(!key.publicKey.isValidSignature(signature, for: message))
      device.isHardwareAvailable = false
      #expect(
        refusal { try key.signature(for: message) } == (isInHardware ? "device-unavailable" : nil))
      #expect(refusal { try SigningKey() } == (isInHardware ? "device-unavailable" : nil))
    }
  }

  @Test(arguments: [false, true]) func publicKeysAreCompact(
    isInHardware: Bool
  ) throws {
    try onDevice(hasHardwareKeys: isInHardware) { _ in
      for _ in 0..<16 {
        let signing = try SigningKey(compactRepresentable: true)
        #expect(signing.publicKey.compactRepresentation != nil)
        let agreement = try AgreementKey()
        #expect(agreement.publicKey.compactRepresentation != nil)
      }
    }
  }

  @Test func nothingIsStoredInTheKeychain() throws {
    try onDevice { device in
      _ = try SigningKey()
      let items = try device.keychain(as: .owner()).items(matching: KeychainQuery(.key))
      #expect(items.isEmpty)
    }
  }
}
