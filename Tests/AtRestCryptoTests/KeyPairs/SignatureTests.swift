import AtRestCrypto
import Foundation
import Testing

/// Signatures are valid only for their message, key and scheme.
@Suite struct SignatureTests {
  private let message = Data("the quick brown fox".utf8)

  @Test(arguments: SignatureScheme.all)
  func holdsForItsMessageOnly(scheme: SignatureScheme) throws {
    for algorithm in [KeyAlgorithm.p256, .p384, .p521, .ed25519, .rsa2048]
    where scheme.isSupported(by: algorithm) {
      let key = try algorithm.fixture()
      let signature = try key.signature(for: message, scheme: scheme)
      let verifier = key.publicKey
      #expect(try verifier.isValidSignature(signature, for: message, scheme: scheme))
      #expect(try !verifier.isValidSignature(signature, for: message + [0], scheme: scheme))
      #expect(try !verifier.isValidSignature(signature, for: Data(), scheme: scheme))
      #expect(
        try !verifier.isValidSignature(signature.dropLast(), for: message, scheme: scheme))
      #expect(try !verifier.isValidSignature(signature + [0], for: message, scheme: scheme))
      #expect(try !verifier.isValidSignature(Data(), for: message, scheme: scheme))
    }
  }

  @Test(arguments: [KeyAlgorithm.p256, .ed25519, .rsa2048])
  func anyChangedByteIsSeen(algorithm: KeyAlgorithm) throws {
    let key = try algorithm.fixture()
    let signature = try key.signature(for: message)
    for index in stride(from: 0, to: signature.count, by: algorithm.canDecrypt ? 16 : 1) {
      var changed = signature
      changed[index] ^= 0x01
      #expect(try !key.publicKey.isValidSignature(changed, for: message), "Byte \(index)")
    }
  }

  @Test(arguments: [KeyAlgorithm.p256, .p384, .p521, .ed25519])
  func anotherKeyDoesNotVerify(algorithm: KeyAlgorithm) throws {
    let signature = try algorithm.fixture().signature(for: message)
    let other = try PrivateKey.generate(algorithm).publicKey
    #expect(try !other.isValidSignature(signature, for: message))
  }

  @Test func anotherSchemeDoesNotVerify() throws {
    let key = try KeyAlgorithm.rsa2048.fixture()
    let signature = try key.signature(for: message, scheme: .rsaPSSSHA256)
    for other in [SignatureScheme.rsaPSSSHA384, .rsaPKCS1SHA256] {
      #expect(try !key.publicKey.isValidSignature(signature, for: message, scheme: other))
    }
  }

  @Test(arguments: [
    (KeyAlgorithm.p256, SignatureScheme.ecdsaSHA256), (.p384, .ecdsaSHA384),
    (.p521, .ecdsaSHA512), (.ed25519, .ed25519), (.rsa2048, .rsaPSSSHA256),
  ])
  func defaultIsThatOfTheAlgorithm(algorithm: KeyAlgorithm, scheme: SignatureScheme) throws {
    let key = try algorithm.fixture()
    let signature = try key.signature(for: message)
    #expect(algorithm.defaultSignatureScheme == scheme)
    #expect(try key.publicKey.isValidSignature(signature, for: message, scheme: scheme))
  }

  @Test(arguments: KeyAlgorithm.tested, SignatureScheme.all)
  func refusesSchemesOfOtherAlgorithms(
    algorithm: KeyAlgorithm, scheme: SignatureScheme
  ) throws {
    guard !scheme.isSupported(by: algorithm) else { return }
    let key = try algorithm.fixture()
    let error = #expect(throws: AtRestError.self) {
      try key.signature(for: message, scheme: scheme)
    }
    #expect(error?.code == .invalidArgument)
    let other = #expect(throws: AtRestError.self) {
      try key.publicKey.isValidSignature(Data(), for: message, scheme: scheme)
    }
    #expect(other?.code == .invalidArgument)
  }

  @Test(arguments: SignatureScheme.all)
  func namesGoBack(scheme: SignatureScheme) {
    #expect(SignatureScheme(name: scheme.name) == scheme)
    #expect(SignatureScheme(name: scheme.name + "x") == nil)
  }
}
