import CryptoKit
import Foundation
import Testing

@Suite struct KeyAgreementTests {
  @Test(arguments: [false, true]) func bothSidesHaveTheSameSecret(isInHardware: Bool) throws {
    try onDevice(hasHardwareKeys: isInHardware) { _ in
      let key = try AgreementKey()
      let other = P256.KeyAgreement.PrivateKey()
      let here = try key.sharedSecretFromKeyAgreement(with: other.publicKey)
      let there = try other.sharedSecretFromKeyAgreement(with: key.publicKey)
      #expect(here == there)
      #expect(
        here.hkdfDerivedSymmetricKey(
          using: SHA256.self, salt: Data([1]), sharedInfo: Data([2]), outputByteCount: 32)
          == there.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: Data([1]), sharedInfo: Data([2]), outputByteCount: 32))
      let again = try AgreementKey(dataRepresentation: key.dataRepresentation)
      #expect(try again.sharedSecretFromKeyAgreement(with: other.publicKey) == there)
    }
  }

  @Test func aKeyOpensMessagesThatWereSealedToIt() throws {
    try onDevice(hasHardwareKeys: true) { _ in
      let key = try AgreementKey()
      let suite = HPKE.Ciphersuite.P256_SHA256_AES_GCM_256
      var sender = try HPKE.Sender(
        recipientKey: key.publicKey, ciphersuite: suite, info: Data("test".utf8))
      let ciphertext = try sender.seal(message)
      var recipient = try HPKE.Recipient(
        privateKey: key, ciphersuite: suite, info: Data("test".utf8),
        encapsulatedKey: sender.encapsulatedKey)
      #expect(try recipient.open(ciphertext) == message)
    }
  }
}
