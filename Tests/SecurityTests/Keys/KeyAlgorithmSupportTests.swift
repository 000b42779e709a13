import Foundation
import Security
import Testing

@Suite struct KeyAlgorithmSupportTests {
  @Test func eachHalfDoesItsOwn() throws {
    let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
    for (algorithm, family, ofPrivate, ofPublic) in [
      (.ecdsaSignatureMessageX962SHA256, "p256", .sign, .verify),
      (.ecdsaSignatureDigestRFC4754, "p256", .sign, .verify),
      (.eciesEncryptionStandardX963SHA256AESGCM, "p256", .decrypt, .encrypt),
      (.ecdhKeyExchangeCofactor, "p256", .keyExchange, nil),
      (.ecdhKeyExchangeStandardX963SHA512, "p256", .keyExchange, nil),
      (.rsaSignatureMessagePSSSHA512, "rsa2048", .sign, .verify),
      (.rsaSignatureDigestPKCS1v15SHA1, "rsa2048", .sign, .verify),
      (.rsaEncryptionOAEPSHA256AESGCM, "rsa2048", .decrypt, .encrypt),
      (.rsaEncryptionPKCS1, "rsa2048", .decrypt, .encrypt),
    ] as [(SecKeyAlgorithm, String, SecKeyOperationType, SecKeyOperationType?)] {
      for name in ["p256", "rsa2048"] {
        let key = try Fixture.key(name)
        let publicKey = try Fixture.publicKey(name)
        for operation in operations {
          #expect(
            SecKeyIsAlgorithmSupported(key, operation, algorithm)
              == (name == family && operation == ofPrivate))
          #expect(
            SecKeyIsAlgorithmSupported(publicKey, operation, algorithm)
              == (name == family && operation == ofPublic))
        }
      }
    }
  }

  @Test(arguments: [
    SecKeyAlgorithm.rsaSignatureRaw, .rsaSignatureDigestPKCS1v15Raw,
    .rsaSignatureMessagePSSSHA224, .rsaEncryptionRaw, .rsaEncryptionOAEPSHA512,
    .ecdsaSignatureMessageX962SHA224, .eciesEncryptionStandardX963SHA224AESGCM,
    .ecdhKeyExchangeStandardX963SHA224,
  ])
  func whatHasNoPrimitiveIsSaidToBeUnimplemented(algorithm: SecKeyAlgorithm) throws {
    for name in ["p256", "rsa2048"] {
      let key = try Fixture.key(name)
      let publicKey = try Fixture.publicKey(name)
      let data = Data(count: 28) as CFData
      for operation in [SecKeyOperationType.sign, .decrypt, .keyExchange] {
        #expect(!SecKeyIsAlgorithmSupported(key, operation, algorithm))
      }
      #expect(!SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
      #expect(status { SecKeyCreateSignature(key, algorithm, data, $0) }.code == -4)
      #expect(
        status { SecKeyVerifySignature(publicKey, algorithm, data, data, $0) }.code == -4)
      #expect(status { SecKeyCreateEncryptedData(publicKey, algorithm, data, $0) }.code == -4)
      #expect(status { SecKeyCreateDecryptedData(key, algorithm, data, $0) }.code == -4)
      #expect(
        status { SecKeyCopyKeyExchangeResult(key, algorithm, publicKey, NSDictionary(), $0) }
          .code == -4)
    }
  }

  @Test func anAlgorithmThatNobodyKnowsIsAWrongParameter() throws {
    let algorithm = SecKeyAlgorithm(rawValue: "algid:other")
    let key = try Fixture.key("p256")
    #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm))
    #expect(
      status { SecKeyCreateSignature(key, algorithm, Data(count: 32) as CFData, $0) }.code
        == Int(errSecParam))
    #expect(SecCopyFailureReasonString(errSecParam)?.contains("algid:other") == true)
  }

  @Test func theWrongHalfIsRefused() throws {
    let data = Fixture.message as CFData
    let publicKey = try Fixture.publicKey("p256")
    let key = try Fixture.key("p256")
    #expect(
      status { SecKeyCreateSignature(publicKey, .ecdsaSignatureMessageX962SHA256, data, $0) }
        .code == -50)
    #expect(
      status {
        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, key, NSDictionary(), $0)
      }.code == -50)
    let other = try Fixture.publicKey("p384")
    #expect(
      status {
        SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, NSDictionary(), $0)
      }.code == -50)
  }

  @Test func derivationAsksForASize() throws {
    let key = try Fixture.key("p256")
    let other = try Fixture.publicKey("p256-other")
    func derive(_ parameters: [String: Any]) -> (CFData?, Int?) {
      let (secret, code) = status {
        SecKeyCopyKeyExchangeResult(
          key, .ecdhKeyExchangeStandardX963SHA256, other, parameters as CFDictionary, $0)
      }
      return (secret, code)
    }
    #expect(derive(["requestedSize": 40]).0?.length == 40)
    #expect(derive([:]).1 == -50)
    #expect(derive(["requestedSize": -1]).1 == -50)
    #expect(derive(["requestedSize": Int.max]).1 == -50)
    #expect(derive(["requestedSize": "40"]).1 == -50)
    #expect(derive(["requestedSize": 40, "sharedInfo": "text"]).1 == -50)
  }
}
