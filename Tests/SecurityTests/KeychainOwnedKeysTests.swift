import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests key pairs that are stored in the keychain when they are generated.
@Suite struct KeychainOwnedKeysTests {
  private let tag = Data("com.example.signing".utf8)

  private func make(_ parameters: [String: Any]) throws -> SecKey {
    let made = status { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    return try #require(made.result, "\(made.code ?? 0)")
  }

  /// The parameters of a 2,048-bit RSA pair whose private half is permanent.
  private var permanent: [String: Any] {
    [
      kSecAttrKeyType as String: kSecAttrKeyTypeRSA,
      kSecAttrKeySizeInBits as String: 2048,
      kSecPrivateKeyAttrs as String: [
        kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
      ],
    ]
  }

  private func find(_ tag: Any, _ keyClass: CFString = kSecAttrKeyClassPrivate) -> SecKey? {
    let found = SecurityTests.find([
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecAttrKeyClass: keyClass,
      kSecReturnRef: true,
    ])
    return found.result as! SecKey?
  }

  @Test func aPermanentKeyIsFoundByItsTag() throws {
    try onDevice { device in
      let key = try make(permanent)
      #expect(find(tag) == key)
      #expect(find(tag, kSecAttrKeyClassPublic) == nil, "Only the private half is permanent.")
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      #expect(SecKeyGetBlockSize(publicKey) == 256)
      device.lock()
      #expect(find(tag) == nil)
    }
  }

  @Test func aKeyThatIsNotPermanentIsNowhere() throws {
    try onDevice { _ in
      var parameters = permanent
      parameters[kSecPrivateKeyAttrs as String] = [kSecAttrApplicationTag as String: tag]
      _ = try make(parameters)
      #expect(exists([kSecClass: kSecClassKey]) == errSecItemNotFound)
    }
  }

  /// Each key therefore needs a tag of its own.
  @Test func underOneTagSeveralKeysCannotBeToldApart() throws {
    try onDevice { _ in
      let first = try make(permanent)
      var parameters = permanent
      parameters[kSecAttrKeyType as String] = kSecAttrKeyTypeECSECPrimeRandom
      parameters[kSecAttrKeySizeInBits as String] = 256
      let second = try make(parameters)
      let all = SecurityTests.find([
        kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true,
        kSecMatchLimit: kSecMatchLimitAll,
      ])
      #expect(Set(all.result as? [SecKey] ?? []) == [first, second])
      #expect(delete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]) == errSecSuccess)
      #expect(find(tag) == nil)
    }
  }

  /// Generates a pair with the older call. It has labels, a tag as text, and nested dictionaries.
  private func pairInTheSecureElement() -> (status: OSStatus, publicKey: SecKey?, key: SecKey?) {
    let privateHalf =
      [
        kSecAttrLabel as String: "private", kSecAttrIsPermanent as String: true,
        kSecAttrApplicationTag as String: "com.example.signing",
      ] as CFDictionary
    let publicHalf =
      [
        kSecAttrLabel as String: "public", kSecAttrIsPermanent as String: false,
        kSecAttrApplicationTag as String: "com.example.signing",
      ] as CFDictionary
    let parameters =
      [
        kSecAttrKeyType as String: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits as String: 256,
        kSecAttrTokenID as String: kSecAttrTokenIDSecureEnclave,
        kSecPublicKeyAttrs as String: publicHalf, kSecPrivateKeyAttrs as String: privateHalf,
      ] as CFDictionary
    var publicKey: SecKey?
    var key: SecKey?
    let status = SecKeyGeneratePair(parameters, &publicKey, &key)
    return (status, publicKey, key)
  }

  @Test func aKeyOfTheSecureElementSignsAndDoesNotLeave() throws {
    try onDevice { device in
      let pair = pairInTheSecureElement()
      #expect(pair.status == errSecSuccess)
      let key = try #require(pair.key)
      let publicKey = try #require(pair.publicKey)
      #expect(status { SecKeyCopyExternalRepresentation(key, $0) }.result == nil)
      #expect(status { SecKeyCopyExternalRepresentation(publicKey, $0) }.result?.length == 65)
      #expect(
        exists([kSecClass: kSecClassKey, kSecAttrLabel: "private"]) == errSecSuccess)
      #expect(
        exists([kSecClass: kSecClassKey, kSecAttrLabel: "public"]) == errSecItemNotFound)
      let signature = try #require(
        SecKeyCreateSignature(
          key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, nil))
      #expect(
        SecKeyVerifySignature(
          publicKey, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, signature, nil))
      device.lock()
      #expect(
        status {
          SecKeyCreateSignature(
            key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, $0)
        }.code == Int(errSecInteractionNotAllowed))
    }
  }

  @Test func aTagOfTextIsTheTagOfItsBytes() throws {
    try onDevice { _ in
      #expect(pairInTheSecureElement().status == errSecSuccess)
      #expect(find("com.example.signing") != nil)
      #expect(find(tag) != nil)
      #expect(find(Data("com.example.other".utf8)) == nil)
    }
  }

  @Test func aSignedRecordThatWasChangedIsNoticed() throws {
    try onDevice { _ in
      _ = try make(permanent)
      let record = Data("balance=10".utf8)
      let key = try #require(find(tag))
      let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
      let signature =
        try #require(
          SecKeyCreateSignature(key, algorithm, record as CFData, nil)) as Data
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      func verify(_ record: Data, _ signature: Data) -> Bool {
        SecKeyVerifySignature(
          publicKey, algorithm, record as CFData, signature as CFData, nil)
      }
      #expect(verify(record, signature))
      #expect(!verify(record.flipped(at: 0), signature))
      #expect(!verify(record, signature.flipped(at: 9)))
    }
  }
}
