import Foundation
import Security
import Testing

/// Tests keys as keychain items.
@Suite struct KeyItemTests {
  private let tag = Data("com.example.key".utf8)

  @Test func everyPartOfTheKeyMakesAnotherItem() throws {
    try onDevice { _ in
      let item: Request = [
        kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecValueData: Data([1]),
      ]
      #expect(add(item) == errSecSuccess)
      #expect(add(item.merging([kSecAttrLabel: "label"]) { $1 }) == errSecDuplicateItem)
      for more: Request in [
        [kSecAttrKeyClass: kSecAttrKeyClassSymmetric], [kSecAttrApplicationLabel: Data([1])],
        [kSecAttrApplicationTag: Data([1])], [kSecAttrCreator: 5], [kSecAttrKeyType: 42],
        [kSecAttrKeySizeInBits: 256], [kSecAttrEffectiveKeySize: 256],
        [kSecAttrSynchronizable: true],
      ] {
        let other = item.merging(more) { $1 }
        #expect(add(other) == errSecSuccess, "\(more)")
        #expect(add(other) == errSecDuplicateItem, "\(more)")
      }
    }
  }

  @Test func aKeyWithPrivateKeyUsageSignsAndIsDeletedAndDoesNotDecrypt() throws {
    try onDevice { _ in
      let query: Request = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]
      let control = try accessControl(.privateKeyUsage)
      let key = try Fixture.key("rsa2048")
      #expect(
        add(
          query.merging([kSecValueRef: key, kSecAttrAccessControl: control]) { $1 })
          == errSecSuccess)
      let found = try #require(
        find(query.merging([kSecReturnRef: true]) { $1 }).result as! SecKey?)
      #expect(
        SecKeyCreateSignature(
          found, .rsaSignatureMessagePKCS1v15SHA256, Fixture.message as CFData, nil) != nil)
      let publicKey = try #require(SecKeyCopyPublicKey(found))
      let ciphertext = try #require(
        SecKeyCreateEncryptedData(
          publicKey, .rsaEncryptionOAEPSHA256, Fixture.message as CFData, nil))
      #expect(
        status { SecKeyCreateDecryptedData(found, .rsaEncryptionOAEPSHA256, ciphertext, $0) }.code
          == -50)
      // Control: the original key decrypts.
      #expect(
        SecKeyCreateDecryptedData(key, .rsaEncryptionOAEPSHA256, ciphertext, nil) as Data?
          == Fixture.message)
      #expect(delete(query) == errSecSuccess)
    }
  }

  @Test func aPublicHalfOfAKeyThatStaysIsHad() throws {
    try onDevice { _ in
      let parameters: Request = [
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        kSecAttrApplicationTag: tag, kSecAttrIsPermanent: true, kSecAttrIsExtractable: false,
      ]
      let key = try #require(SecKeyCreateRandomKey(parameters as CFDictionary, nil))
      func half(_ keyClass: CFString) -> CFTypeRef? {
        find([
          kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecAttrKeyClass: keyClass,
          kSecReturnRef: true,
        ]).result
      }
      #expect(half(kSecAttrKeyClassPublic) as! SecKey? == SecKeyCopyPublicKey(key))
      let stays = try #require(half(kSecAttrKeyClassPrivate) as! SecKey?)
      #expect(SecKeyCopyExternalRepresentation(stays, nil) == nil)
    }
  }
}
