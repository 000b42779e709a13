import Crypto
import Foundation
import Security
import Testing

@Suite struct SignatureTests {
  /// Pairs of algorithms that are equal for a message and for its digest, with the digest.
  private static let pairs: [(SecKeyAlgorithm, SecKeyAlgorithm, Data)] = {
    let sha1 = Data(Insecure.SHA1.hash(data: Fixture.message))
    let sha256 = Data(SHA256.hash(data: Fixture.message))
    let sha384 = Data(SHA384.hash(data: Fixture.message))
    let sha512 = Data(SHA512.hash(data: Fixture.message))
    return [
      (.ecdsaSignatureMessageX962SHA1, .ecdsaSignatureDigestX962SHA1, sha1),
      (.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962SHA256, sha256),
      (.ecdsaSignatureMessageX962SHA384, .ecdsaSignatureDigestX962SHA384, sha384),
      (.ecdsaSignatureMessageX962SHA512, .ecdsaSignatureDigestX962SHA512, sha512),
      (.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureDigestX962, sha256),
      (.ecdsaSignatureMessageRFC4754SHA1, .ecdsaSignatureDigestRFC4754SHA1, sha1),
      (.ecdsaSignatureMessageRFC4754SHA256, .ecdsaSignatureDigestRFC4754SHA256, sha256),
      (.ecdsaSignatureMessageRFC4754SHA384, .ecdsaSignatureDigestRFC4754SHA384, sha384),
      (.ecdsaSignatureMessageRFC4754SHA512, .ecdsaSignatureDigestRFC4754SHA512, sha512),
      (.ecdsaSignatureMessageRFC4754SHA256, .ecdsaSignatureRFC4754, sha256),
      (.rsaSignatureMessagePKCS1v15SHA1, .rsaSignatureDigestPKCS1v15SHA1, sha1),
      (.rsaSignatureMessagePKCS1v15SHA256, .rsaSignatureDigestPKCS1v15SHA256, sha256),
      (.rsaSignatureMessagePKCS1v15SHA384, .rsaSignatureDigestPKCS1v15SHA384, sha384),
      (.rsaSignatureMessagePKCS1v15SHA512, .rsaSignatureDigestPKCS1v15SHA512, sha512),
      (.rsaSignatureMessagePSSSHA1, .rsaSignatureDigestPSSSHA1, sha1),
      (.rsaSignatureMessagePSSSHA256, .rsaSignatureDigestPSSSHA256, sha256),
      (.rsaSignatureMessagePSSSHA384, .rsaSignatureDigestPSSSHA384, sha384),
      (.rsaSignatureMessagePSSSHA512, .rsaSignatureDigestPSSSHA512, sha512),
    ]
  }()

  private func names(_ algorithm: SecKeyAlgorithm) -> [String] {
    algorithm.rawValue.contains("RSA") ? ["rsa2048"] : ["p256", "p384", "p521"]
  }

  @Test(arguments: pairs.indices)
  func messagesAndTheirDigestsAreSignedAlike(index: Int) throws {
    let (message, digest, hash) = Self.pairs[index]
    for name in names(message) {
      let key = try Fixture.key(name)
      let publicKey = try Fixture.publicKey(name)
      let ofMessage = try #require(
        SecKeyCreateSignature(key, message, Fixture.message as CFData, nil))
      let ofDigest = try #require(SecKeyCreateSignature(key, digest, hash as CFData, nil))
      #expect(SecKeyVerifySignature(publicKey, digest, hash as CFData, ofMessage, nil))
      #expect(
        SecKeyVerifySignature(publicKey, message, Fixture.message as CFData, ofDigest, nil))
      #expect(
        !SecKeyVerifySignature(publicKey, digest, hash.flipped(at: 3) as CFData, ofMessage, nil))
      if message.rawValue.contains("RFC4754") {
        #expect(ofMessage.length == 2 * SecKeyGetBlockSize(key))
      }
    }
  }

  @Test func digestsOfAnotherSizeAreNotSigned() throws {
    for (_, digest, hash) in Self.pairs
    where digest != .ecdsaSignatureDigestX962 && digest != .ecdsaSignatureRFC4754 {
      let key = try Fixture.key(names(digest)[0])
      for wrong in [hash.dropLast(), hash + [0], Data()] {
        let (signature, code) = status {
          SecKeyCreateSignature(key, digest, wrong as CFData, $0)
        }
        #expect(signature == nil)
        #expect(code == -50)
      }
    }
  }

  @Test func aDigestOfAnySizeIsSignedWhereNoneIsNamed() throws {
    let key = try Fixture.key("p256")
    let digest = Data(repeating: 7, count: 28) as CFData
    let signature = try #require(
      SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA224, digest, nil))
    #expect(
      SecKeyVerifySignature(
        try Fixture.publicKey("p256"), .ecdsaSignatureDigestX962, digest, signature, nil))
  }

  @Test func anotherKeysSignatureIsNotTheKeys() throws {
    let signature = try #require(
      SecKeyCreateSignature(
        try Fixture.key("p256-other"), .ecdsaSignatureMessageX962SHA256,
        Fixture.message as CFData, nil))
    let key = try Fixture.publicKey("p256")
    let (_, code) = status {
      SecKeyVerifySignature(
        key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, signature, $0)
    }
    #expect(code == -67808)
  }

  @Test func theOlderCallsSignAndVerifyDigests() throws {
    let digest = Array(SHA256.hash(data: Fixture.message))
    for (name, padding, algorithm) in [
      ("p256", SecPadding.PKCS1, SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256),
      ("p256", .sigRaw, .ecdsaSignatureMessageRFC4754SHA256),
      ("rsa2048", .PKCS1SHA256, .rsaSignatureMessagePKCS1v15SHA256),
    ] {
      let key = try Fixture.key(name)
      let publicKey = try Fixture.publicKey(name)
      var signature = [UInt8](repeating: 0, count: 512)
      var count = signature.count
      #expect(SecKeyRawSign(key, padding, digest, digest.count, &signature, &count) == 0)
      let data = Data(signature.prefix(count)) as CFData
      #expect(
        SecKeyVerifySignature(publicKey, algorithm, Fixture.message as CFData, data, nil))
      #expect(
        SecKeyRawVerify(publicKey, padding, digest, digest.count, signature, count) == 0)
      #expect(
        SecKeyRawVerify(publicKey, padding, digest, digest.count, signature, count - 1) == -9809)
      var small = 8
      #expect(SecKeyRawSign(key, padding, digest, digest.count, &signature, &small) == -50)
    }
    var count = 0
    var none: UInt8 = 0
    let rsa = try Fixture.key("rsa2048")
    #expect(SecKeyRawSign(rsa, [], digest, digest.count, &none, &count) == -4)
    #expect(SecKeyRawSign(rsa, .PKCS1MD5, digest, digest.count, &none, &count) == -50)
  }
}
