import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

@Suite struct SecureElementTests {
  private func make(_ more: [CFString: Any] = [:], bits: Int = 256) -> (key: SecKey?, code: Int?) {
    var parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: bits,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
    ]
    parameters.merge(more) { _, new in new }
    let (key, code) = status { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    return (key, code)
  }

  private var query: Request {
    [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecReturnRef: true]
  }

  private let tag = Data("com.example.signing".utf8)

  private func permanent(_ flags: SecAccessControlCreateFlags = .privateKeyUsage) throws
    -> Request
  {
    [
      kSecPrivateKeyAttrs: [
        kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
        kSecAttrAccessControl: try accessControl(flags),
      ] as Request as CFDictionary
    ]
  }

  private func sign(_ key: SecKey) -> Int? {
    status {
      SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, $0)
    }.code
  }

  private func use(_ key: SecKey) throws {
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let signature = try #require(
      SecKeyCreateSignature(
        key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, nil))
    #expect(
      SecKeyVerifySignature(
        publicKey, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, signature, nil))
    let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
    let ciphertext = try #require(
      SecKeyCreateEncryptedData(publicKey, algorithm, Fixture.message as CFData, nil))
    #expect(
      SecKeyCreateDecryptedData(key, algorithm, ciphertext, nil) as Data? == Fixture.message)
    let other = try Fixture.publicKey("p256")
    #expect(
      SecKeyCopyKeyExchangeResult(key, .ecdhKeyExchangeStandard, other, NSDictionary(), nil)
        == SecKeyCopyKeyExchangeResult(
          try Fixture.key("p256"), .ecdhKeyExchangeStandard, publicKey, NSDictionary(), nil))
  }

  @Test func aKeyIsUsedAndNeverLeaves() throws {
    try onDevice { _ in
      let key = try #require(make(try permanent()).key)
      try use(key)
      let (data, code) = status { SecKeyCopyExternalRepresentation(key, $0) }
      #expect(data == nil)
      #expect(code == -4)
      let attributes = try #require(SecKeyCopyAttributes(key))
      #expect(attributes[kSecValueData] == nil)
      #expect(attributes[kSecAttrTokenID] as? String == kSecAttrTokenIDSecureEnclave as String)
      #expect(attributes[kSecAttrIsExtractable] as? Bool == false)
      #expect(attributes[kSecAttrApplicationTag] as? Data == tag)
    }
  }

  @Test func aKeyIsFoundAgainAndUsed() throws {
    try onDevice { _ in
      let key = try #require(make(try permanent()).key)
      let found = try #require(find(query).result as? SecKey)
      #expect(found == key)
      try use(found)
      #expect(status { SecKeyCopyExternalRepresentation(found, $0) }.code == -4)
      let attributes = SecKeyCopyAttributes(found)
      #expect(attributes?[kSecAttrApplicationTag] as? Data == tag)
    }
  }

  @Test func noQueryGivesItsBytes() throws {
    try onDevice { _ in
      _ = try #require(make(try permanent()).key)
      #expect(find(query.merging([kSecReturnData: true]) { $1 }).result == nil)
      // Anyone can read the public half.
      #expect(find(query).result != nil)
    }
  }

  @Test func aDeletedKeyIsOfNoUse() throws {
    try onDevice { _ in
      let key = try #require(make(try permanent()).key)
      #expect(sign(key) == nil)
      #expect(delete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]) == errSecSuccess)
      #expect(sign(key) == -25300)
    }
  }

  @Test func aLockedDeviceSignsNothing() throws {
    try onDevice { device in
      let key = try #require(make(try permanent()).key)
      device.lock()
      #expect(sign(key) == -25308)
      try device.unlock()
      #expect(sign(key) == nil)
    }
  }

  @Test func eachUseAsksWhoIsThereAndMakingAKeyDoesNot() throws {
    try onDevice { device in
      let key = try #require(make(try permanent([.privateKeyUsage, .devicePasscode])).key)
      #expect(device.user.prompts.isEmpty)
      #expect(sign(key) == nil)
      #expect(device.user.prompts.count == 1)
      // Reading the public half does not ask the user.
      #expect(SecKeyCopyPublicKey(key) != nil)
      #expect(device.user.prompts.count == 1)
    }
  }

  /// Apple's calls use a key that AtRestKeychain generated.
  @Test(arguments: [true, false]) func privateKeyUsageDoesNotDecrypt(hasUsage: Bool) throws {
    try onDevice { _ in
      let publicKey = try DefaultKeychain.get().createKey(
        .rsa2048, tag: "com.example.rsa",
        protection: hasUsage ? .controlled(.privateKeyUsage(.whenUnlocked)) : .whenUnlocked)
      let found = find([
        kSecClass: kSecClassKey, kSecAttrApplicationTag: "com.example.rsa", kSecReturnRef: true,
      ])
      let key = try #require(found.result as? SecKey)
      let algorithm = SecKeyAlgorithm.rsaSignatureMessagePKCS1v15SHA256
      let signature = try #require(
        SecKeyCreateSignature(key, algorithm, Fixture.message as CFData, nil))
      #expect(
        try publicKey.isValidSignature(
          signature as Data, for: Fixture.message, scheme: .rsaPKCS1SHA256))
      let ciphertext = try publicKey.encrypt(SecretBytes(Fixture.message)) as CFData
      let (plaintext, code) = status {
        SecKeyCreateDecryptedData(key, .rsaEncryptionOAEPSHA256, ciphertext, $0)
      }
      #expect(plaintext as Data? == (hasUsage ? nil : Fixture.message))
      #expect(code == (hasUsage ? -50 : nil))
      #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
    }
  }

  @Test func accessControlWithoutPrivateKeyUsageLetsNobodySign() throws {
    try onDevice { device in
      let made = make(try permanent(.devicePasscode))
      let key = try #require(made.key, "\(made.code ?? 0)")
      #expect(sign(key) == -25293)
      #expect(device.user.prompts.isEmpty)
      let found = try #require(find(query).result as? SecKey)
      #expect(sign(found) == -25293)
      // Control: a key with private-key usage, or without access control, signs.
      #expect(sign(try #require(make(try permanent()).key)) == nil)
      #expect(sign(try #require(make([kSecAttrApplicationTag: "another"]).key)) == nil)
    }
  }

  @Test func privateKeyUsageIsForKeysOfTheSecureElement() throws {
    try onDevice { _ in
      let outside: Request = try permanent().merging([
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      ]) { $1 }
      let refused = status { SecKeyCreateRandomKey(outside as CFDictionary, $0) }
      #expect(refused.result == nil && refused.code == -50)
      #expect(find(query).status == errSecItemNotFound)
    }
  }

  @Test func keysArePermanentUnlessItIsSaidThatTheyAreNot() throws {
    try onDevice { _ in
      _ = try #require(make([kSecAttrApplicationTag: tag]).key)
      #expect(find(query).status == errSecSuccess)
      #expect(delete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]) == errSecSuccess)
      let key = try #require(make([kSecAttrApplicationTag: tag, kSecAttrIsPermanent: false]).key)
      #expect(find(query).status == errSecItemNotFound)
      try use(key)
      #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
    }
  }

  @Test func onlyP256LivesThere() {
    #expect(make(bits: 384).code == -50)
    #expect(make([kSecAttrTokenID: "another token"]).code == -50)
    #expect(make([kSecAttrKeyType: kSecAttrKeyTypeRSA], bits: 2048).code == -50)
  }

  @Test func nothingIsImported() throws {
    let attributes: Request = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
    ]
    let data = try Fixture.keyData("p256") as CFData
    #expect(status { SecKeyCreateWithData(data, attributes as CFDictionary, $0) }.code == -4)
  }
}
