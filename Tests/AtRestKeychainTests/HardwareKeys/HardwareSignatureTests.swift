import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Crypto
import Foundation
import Testing

/// Signatures that the hardware makes are ordinary ECDSA signatures, which swift-crypto verifies.
@Suite struct HardwareSignatureTests {
  let keychain: Keychain
  let message = Data("an order".utf8)

  init() throws { keychain = try SimulatedDevice(hasHardwareKeys: true).keychain() }

  @Test(arguments: ["ecdsa-sha256", "ecdsa-sha384", "ecdsa-sha512"])
  func swiftCryptoVerifiesASignature(name: String) throws {
    let scheme = try #require(SignatureScheme(name: name))
    let publicKey = try keychain.createHardwareKey(tag: "k")
    let signature = try P256.Signing.ECDSASignature(
      derRepresentation: keychain.sign(message, tag: "k", scheme: scheme))
    let verifier = try P256.Signing.PublicKey(
      x963Representation: publicKey.x963Representation())
    func isValid(_ message: Data) -> Bool {
      switch scheme {
      case .ecdsaSHA384: verifier.isValidSignature(signature, for: SHA384.hash(data: message))
      case .ecdsaSHA512: verifier.isValidSignature(signature, for: SHA512.hash(data: message))
      default: verifier.isValidSignature(signature, for: SHA256.hash(data: message))
      }
    }
    #expect(isValid(message))
    // Control: another message does not verify.
    #expect(!isValid(message + [0]))
    #expect(try keychain.publicKey(tag: "k") == publicKey)
  }

  @Test(arguments: [0, 10, 20, 28, 31, 32, 33, 48, 64, 100], [true, false])
  func digestsOfAllSizesAreSigned(count: Int, isRaw: Bool) throws {
    let publicKey = try keychain.createHardwareKey(tag: "k")
    let item = try #require(try keychain.items(matching: KeychainQuery(.key)).first)
    let digest = Data((0..<count).map { UInt8(truncatingIfNeeded: 200 + $0) })
    let scheme = isRaw ? DigestSignatureScheme.ecdsaRaw : .ecdsa
    let signature = try keychain.withPrivateKey(item.reference, context: nil) {
      try $0.signature(forDigest: digest, scheme)
    }
    #expect(try publicKey.isValidSignature(signature, forDigest: digest, scheme))
    #expect(!isRaw || signature.count == 64)
    // Control: another digest does not verify.
    let other = Data([1]) + digest.dropFirst()
    #expect(try !publicKey.isValidSignature(signature, forDigest: other, scheme))
  }

  @Test func otherSchemesAreRefused() throws {
    try keychain.createHardwareKey(tag: "k")
    for scheme in SignatureScheme.all where !scheme.isSupported(by: .p256) {
      #expect(
        refusal { try keychain.sign(message, tag: "k", scheme: scheme) } == .invalidArgument)
    }
    #expect(refusal { try keychain.decrypt(message, tag: "k").count } == .invalidArgument)
  }

  @Test func aTagIsUniqueAmongKeysInHardwareAndInMemory() throws {
    try keychain.createHardwareKey(tag: "k")
    #expect(refusal { try keychain.createHardwareKey(tag: "k") } == .duplicate)
    #expect(refusal { try keychain.createKey(.p256, tag: "k") } == .duplicate)
    try keychain.deleteKey(tag: "k")
    #expect(refusal { try keychain.sign(message, tag: "k") } == .notFound)
  }

  @Test func aClosureInTheBackgroundSignsToo() async throws {
    let publicKey = try await keychain.background { try $0.createHardwareKey(tag: "k", label: "L") }
    let signature = try await keychain.background { try $0.sign(message, tag: "k") }
    #expect(try publicKey.isValidSignature(signature, for: message))
    let key = try await keychain.background { try $0.hardwareKey(tag: "k") }
    #expect(try key?.publicKey == publicKey.x963Representation())
  }
}
