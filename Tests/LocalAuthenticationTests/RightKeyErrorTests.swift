import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests what a key of a right refuses, and with which error.
@Suite struct RightKeyErrorTests {
  private let ecdsa = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
  private let ecies = SecKeyAlgorithm.eciesEncryptionCofactorX963SHA256AESGCM
  private let ecdh = SecKeyAlgorithm.ecdhKeyExchangeStandard

  /// Calls a closure with the key of an authorized right.
  private func withKey(_ body: (LAPrivateKey) async throws -> Void) async throws {
    try await phone().run {
      let right = try await LARightStore.shared.saveRight(LARight(), identifier: "a")
      try await right.authorize(localizedReason: "Use the key")
      try await body(right.key)
    }
  }

  private func status(_ body: () async throws -> Void) async -> OSStatus? {
    do {
      try await body()
      return nil
    } catch {
      let error = error as NSError
      return error.domain == NSOSStatusErrorDomain ? OSStatus(error.code) : 1
    }
  }

  @Test func theKeySaysWhatItCanDo() async throws {
    try await withKey { key in
      #expect(key.canSign(using: ecdsa) && key.publicKey.canVerify(using: ecdsa))
      #expect(key.canDecrypt(using: ecies) && key.publicKey.canEncrypt(using: ecies))
      #expect(key.canExchangeKeys(using: ecdh))
      // Control: what a P-256 key cannot do.
      let rsa = SecKeyAlgorithm.rsaSignatureMessagePSSSHA256
      #expect(!key.canSign(using: rsa) && !key.publicKey.canVerify(using: rsa))
      #expect(!key.canSign(using: ecies) && !key.canDecrypt(using: ecdsa))
      #expect(!key.canExchangeKeys(using: ecdsa))
      #expect(!key.publicKey.canEncrypt(using: .rsaEncryptionOAEPSHA256))
      #expect(!key.canSign(using: .ecdsaSignatureMessageX962SHA224))
    }
  }

  @Test func anAlgorithmOfAnotherKeyIsAWrongParameter() async throws {
    try await withKey { key in
      let rsa = SecKeyAlgorithm.rsaSignatureMessagePSSSHA256
      #expect(await status { _ = try await key.sign(Data(), algorithm: rsa) } == errSecParam)
      #expect(await status { _ = try await key.decrypt(Data(), algorithm: ecdsa) } == errSecParam)
      let missing = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA224
      #expect(
        await status { _ = try await key.sign(Data(), algorithm: missing) } == errSecUnimplemented)
      // Control.
      #expect(await status { _ = try await key.sign(Data(), algorithm: ecdsa) } == nil)
    }
  }

  @Test func aWrongDigestIsAWrongParameter() async throws {
    try await withKey { key in
      let algorithm = SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256
      #expect(
        await status { _ = try await key.sign(Data(count: 31), algorithm: algorithm) }
          == errSecParam)
      #expect(
        await status { _ = try await key.sign(Data(count: 32), algorithm: algorithm) } == nil)
    }
  }

  @Test func anotherMessageIsNotVerified() async throws {
    try await withKey { key in
      let signature = try await key.sign(Data([1]), algorithm: ecdsa)
      func verify(_ data: Data, _ signature: Data) async -> OSStatus? {
        await status {
          try await key.publicKey.verify(data, signature: signature, algorithm: ecdsa)
        }
      }
      #expect(await verify(Data([1]), signature) == nil)
      #expect(await verify(Data([2]), signature) == errSecVerifyFailed)
      #expect(await verify(Data([1]), Data([1])) == errSecVerifyFailed)
    }
  }

  @Test func aModifiedCiphertextIsAWrongParameter() async throws {
    try await withKey { key in
      var box = try await key.publicKey.encrypt(Data([1]), algorithm: ecies)
      #expect(try await key.decrypt(box, algorithm: ecies) == Data([1]))
      box[box.count - 1] ^= 1
      #expect(await status { _ = try await key.decrypt(box, algorithm: ecies) } == errSecParam)
    }
  }

  @Test func theKeyOfTheOtherPartyMustBeAKey() async throws {
    try await withKey { key in
      func agree(with other: Data, _ algorithm: SecKeyAlgorithm) async -> OSStatus? {
        await status {
          _ = try await key.exchangeKeys(publicKey: other, algorithm: algorithm, parameters: [:])
        }
      }
      #expect(await agree(with: Data(count: 65), ecdh) == errSecParam)
      let own = try await key.publicKey.bytes
      #expect(await agree(with: own, ecdh) == nil)
      // The number of bytes is missing.
      #expect(await agree(with: own, .ecdhKeyExchangeStandardX963SHA256) == errSecParam)
    }
  }

  @Test func aWrongAlgorithmIsNotedBeforeTheRight() async throws {
    try await phone().run {
      let right = try await LARightStore.shared.saveRight(LARight(), identifier: "a")
      #expect(
        await status { _ = try await right.key.sign(Data(), algorithm: ecies) } == errSecParam)
      // Control: with a right algorithm, the right is missing.
      #expect(await status { _ = try await right.key.sign(Data(), algorithm: ecdsa) } == 1)
    }
  }

  @Test func closuresReceiveTheSame() async throws {
    try await withKey { key in
      func data(_ call: (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Void) async -> Data?
      {
        await withCheckedContinuation { continuation in
          call { data, error in
            #expect((data == nil) == (error != nil))
            continuation.resume(returning: data)
          }
        }
      }
      let bytes = try #require(await data { key.publicKey.exportBytes(completion: $0) })
      let signature = try #require(
        await data { key.sign(Data([1]), algorithm: ecdsa, completion: $0) })
      let box = try #require(
        await data { key.publicKey.encrypt(Data([1]), algorithm: ecies, completion: $0) })
      #expect(
        await data { key.decrypt(box, algorithm: ecies, completion: $0) } == Data([1]))
      #expect(
        await data {
          key.exchangeKeys(publicKey: bytes, algorithm: ecdh, parameters: [:], completion: $0)
        }?.count == 32)
      #expect(await data { key.sign(Data([1]), algorithm: ecies, completion: $0) } == nil)
      for (message, expected) in [(Data([1]), nil), (Data([2]), errSecVerifyFailed)] {
        let status: OSStatus? = await withCheckedContinuation { continuation in
          key.publicKey.verify(message, signature: signature, algorithm: ecdsa) { error in
            continuation.resume(returning: error.map { OSStatus(($0 as NSError).code) })
          }
        }
        #expect(status == expected)
      }
    }
  }
}
