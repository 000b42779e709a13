import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Crypto
import Foundation
import Testing

/// A key in hardware agrees on the same secrets as a key in memory.
@Suite struct HardwareAgreementTests {
  let keychain: Keychain
  let publicKey: PublicKey

  init() throws {
    keychain = try SimulatedDevice(hasHardwareKeys: true).keychain()
    publicKey = try keychain.createHardwareKey(tag: "k")
  }

  private func use<Result: ~Copyable>(
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    return try keychain.withPrivateKey(item.reference, context: nil, body)
  }

  @Test func swiftCryptoAgreesOnTheSameSecret() throws {
    let other = P256.KeyAgreement.PrivateKey()
    let mine = try P256.KeyAgreement.PublicKey(x963Representation: publicKey.x963Representation())
    let expected = try other.sharedSecretFromKeyAgreement(with: mine).withUnsafeBytes { Data($0) }
    let secret = try keychain.sharedSecret(
      with: PublicKey(x963Representation: other.publicKey.x963Representation), tag: "k")
    #expect(Data(copying: secret) == expected)
    // Control: with another key, the secret is another one.
    let stranger = try PrivateKey.generate(.p256).publicKey
    #expect(Data(copying: try keychain.sharedSecret(with: stranger, tag: "k")) != expected)
  }

  @Test(arguments: DigestFunction.allCases) func derivedBytesAgree(
    function: DigestFunction
  ) throws {
    let other = try PrivateKey.generate(.p256)
    let info = Data("shared".utf8)
    let there = try other.sharedSecret(
      with: publicKey, derivingX963: function, sharedInfo: info, count: 48)
    let here = try use {
      try $0.sharedSecret(
        with: other.publicKey, derivingX963: function, sharedInfo: info, count: 48)
    }
    #expect(Data(copying: here) == Data(copying: there))
  }

  @Test(arguments: DigestFunction.allCases, [true, false]) func anEnvelopeIsOpened(
    function: DigestFunction, derivesNonce: Bool
  ) throws {
    let form = PublicKeyEnvelope.ecies(function, derivesNonce: derivesNonce)
    let message = Data("a message".utf8)
    let envelope = try form.seal(message, to: publicKey)
    #expect(Data(copying: try use { try $0.open(envelope, form) }) == message)
    // Control: a changed envelope is refused at each of its parts, and by another key.
    for index in [0, 40, 66, envelope.count - 1] {
      var changed = envelope
      changed[index] ^= 1
      #expect(refusal { try use { try $0.open(changed, form) }.count } == .damaged)
    }
    let other = try form.seal(message, to: PrivateKey.generate(.p256).publicKey)
    #expect(refusal { try use { try $0.open(other, form) }.count } == .damaged)
  }

  @Test(arguments: ["p384", "x25519", "rsa2048"]) func keysOfOtherAlgorithmsAreRefused(
    name: String
  ) throws {
    let other = try PrivateKey.generate(#require(KeyAlgorithm(name: name))).publicKey
    #expect(
      refusal { try keychain.sharedSecret(with: other, tag: "k").count } == .invalidArgument)
  }
}
