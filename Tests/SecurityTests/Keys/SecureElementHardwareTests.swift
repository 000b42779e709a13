import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// On a device with hardware for keys, the keys of `kSecAttrTokenIDSecureEnclave` are in the
/// hardware.
@Suite struct SecureElementHardwareTests {
  private let tag = Data("com.example.signing".utf8)

  private func make(_ more: Request = [:]) -> (key: SecKey?, code: Int?) {
    let parameters: Request = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrApplicationTag: tag,
    ]
    let (key, code) = status {
      SecKeyCreateRandomKey(parameters.merging(more) { $1 } as CFDictionary, $0)
    }
    return (key, code)
  }

  private var query: Request { [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] }

  private func found() -> SecKey? {
    find(query.merging([kSecReturnRef: true]) { $1 }).result as? SecKey
  }

  private func sign(_ key: SecKey) -> Int? {
    status {
      SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, $0)
    }.code
  }

  private func use(_ key: SecKey) throws {
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    for (algorithm, size) in [
      (SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256, nil as Int?),
      (.ecdsaSignatureMessageX962SHA384, nil), (.ecdsaSignatureMessageRFC4754SHA512, nil),
      (.ecdsaSignatureDigestX962SHA256, 32), (.ecdsaSignatureDigestX962SHA384, 48),
      (.ecdsaSignatureDigestX962SHA512, 64), (.ecdsaSignatureDigestRFC4754SHA1, 20),
    ] {
      let data = size.map { Data(repeating: 0xA5, count: $0) } ?? Fixture.message
      let signature = try #require(SecKeyCreateSignature(key, algorithm, data as CFData, nil))
      #expect(SecKeyVerifySignature(publicKey, algorithm, data as CFData, signature, nil))
      #expect(
        !SecKeyVerifySignature(
          publicKey, algorithm, data.flipped(at: 0) as CFData, signature, nil))
    }
    for algorithm: SecKeyAlgorithm in [
      .eciesEncryptionCofactorVariableIVX963SHA256AESGCM, .eciesEncryptionStandardX963SHA1AESGCM,
    ] {
      let ciphertext = try #require(
        SecKeyCreateEncryptedData(publicKey, algorithm, Fixture.message as CFData, nil))
      #expect(
        SecKeyCreateDecryptedData(key, algorithm, ciphertext, nil) as Data? == Fixture.message)
      let changed = (ciphertext as Data).flipped(at: -1) as CFData
      #expect(status { SecKeyCreateDecryptedData(key, algorithm, changed, $0) }.code == -50)
    }
    let parameters: Request = [
      SecKeyKeyExchangeParameter.requestedSize.rawValue: 40,
      SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data([1]),
    ]
    for algorithm: SecKeyAlgorithm in [
      .ecdhKeyExchangeStandard, .ecdhKeyExchangeCofactorX963SHA256,
    ] {
      let here = SecKeyCopyKeyExchangeResult(
        key, algorithm, try Fixture.publicKey("p256"), parameters as CFDictionary, nil)
      let there = SecKeyCopyKeyExchangeResult(
        try Fixture.key("p256"), algorithm, publicKey, parameters as CFDictionary, nil)
      #expect(here != nil && here == there)
    }
  }

  @Test func aStoredKeyIsUsedInHardware() throws {
    try onDevice(hasHardwareKeys: true) { device in
      let key = try #require(make().key)
      try use(key)
      let again = try #require(found())
      #expect(again == key)
      try use(again)
      let items = try device.keychain(as: .owner()).items(matching: KeychainQuery(.key))
      #expect(items.map(\.isHardwareKey) == [true])
      #expect(
        SecKeyCopyAttributes(again)?[kSecAttrTokenID] as? String
          == kSecAttrTokenIDSecureEnclave as String)
    }
    // Control: without hardware, the key is in memory.
    try onDevice { device in
      try use(try #require(make().key))
      let items = try device.keychain(as: .owner()).items(matching: KeychainQuery(.key))
      #expect(items.map(\.isHardwareKey) == [false])
    }
  }

  @Test func aKeyThatIsNotStoredIsUsedInHardware() throws {
    try onDevice(hasHardwareKeys: true) { device in
      let key = try #require(make([kSecAttrIsPermanent: false]).key)
      #expect(find(query).status == errSecItemNotFound)
      try use(key)
      device.isHardwareAvailable = false
      #expect(sign(key) == Int(errSecNotAvailable))
      device.isHardwareAvailable = true
      // It can be stored later.
      #expect(
        add([kSecClass: kSecClassKey, kSecValueRef: key, kSecAttrApplicationTag: tag])
          == errSecSuccess)
      try use(try #require(found()))
    }
  }

  @Test func noCallReturnsTheStoredForm() throws {
    try onDevice(hasHardwareKeys: true) { _ in
      let key = try #require(make().key)
      #expect(
        find(query.merging([kSecReturnData: true]) { $1 }).status == errSecDataNotAvailable)
      let loose = try #require(
        make([kSecAttrIsPermanent: false, kSecAttrApplicationTag: Data("loose".utf8)]).key)
      for key in [key, loose] {
        #expect(status { SecKeyCopyExternalRepresentation(key, $0) }.code == -4)
        #expect(SecKeyCopyAttributes(key)?[kSecValueData] == nil)
      }
      let added = adding([kSecClass: kSecClassKey, kSecValueRef: loose, kSecReturnData: true])
      #expect(added.status == errSecDataNotAvailable && added.result == nil)
      #expect(update(query, [kSecValueData: Data(count: 32)]) == errSecParam)
    }
  }

  @Test func unavailableHardwareIsNotAMissingKeyAndNotARefusedUser() throws {
    try onDevice(hasHardwareKeys: true) { device in
      let key = try #require(make().key)
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
      let ciphertext = try #require(
        SecKeyCreateEncryptedData(publicKey, algorithm, Fixture.message as CFData, nil))
      device.isHardwareAvailable = false
      let unavailable = Int(errSecNotAvailable)
      #expect(sign(key) == unavailable)
      #expect(
        status { SecKeyCreateDecryptedData(key, algorithm, ciphertext, $0) }.code == unavailable)
      #expect(
        status {
          SecKeyCopyKeyExchangeResult(
            key, .ecdhKeyExchangeStandard, publicKey, NSDictionary(), $0)
        }.code == unavailable)
      // No key is made in memory instead.
      #expect(make([kSecAttrApplicationTag: Data("new".utf8)]).code == unavailable)
      #expect(found() != nil)
    }
  }

  @Test func accessControlIsCheckedBeforeTheHardwareIsUsed() throws {
    try onDevice(hasHardwareKeys: true) { device in
      let half: Request = [
        kSecAttrIsPermanent: true,
        kSecAttrAccessControl: try accessControl([.privateKeyUsage, .devicePasscode]),
      ]
      let key = try #require(make([kSecPrivateKeyAttrs: half as CFDictionary]).key)
      #expect(device.user.prompts.isEmpty)
      device.isHardwareAvailable = false
      device.user.will(.cancel)
      #expect(sign(key) == Int(errSecUserCanceled))
      device.lock()
      #expect(sign(key) == Int(errSecInteractionNotAllowed))
      try device.unlock()
      device.user.will(.comply)
      device.isHardwareAvailable = true
      #expect(sign(key) == nil)
    }
  }

  @Test(
    arguments: [
      (kSecAttrAccessibleWhenUnlocked, kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
      (kSecAttrAccessibleAfterFirstUnlock, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly),
      (
        kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      ),
    ].map { ($0.0 as String, $0.1 as String) })
  func theItemIsBoundToTheDevice(given: String, stored: String) throws {
    try onDevice(hasHardwareKeys: true) { device in
      let key = try #require(make([kSecAttrAccessible: given]).key)
      let attributes = find(query.merging([kSecReturnAttributes: true]) { $1 }).result
      #expect((attributes as? NSDictionary)?[kSecAttrAccessible] as? String == stored)
      #expect(
        update(query, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecParam)
      let backup = try device.backup(passphrase: "backup")
      #expect(backup.summary.thisDeviceOnly == 1)
      _ = try device.restore(backup, passphrase: "backup")
      #expect(sign(try #require(found())) == nil)
      #expect(SecKeyCopyPublicKey(try #require(found())) == SecKeyCopyPublicKey(key))
    }
  }
}
