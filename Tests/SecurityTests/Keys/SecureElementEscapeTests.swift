import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests attempts to get a key out of the secure element, or to use it against its protection.
@Suite struct SecureElementEscapeTests {
  private let tag = Data("com.example.signing".utf8)

  private func parameters(_ flags: SecAccessControlCreateFlags, _ more: Request = [:]) throws
    -> CFDictionary
  {
    let half: Request = [
      kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
      kSecAttrAccessControl: try accessControl(flags),
    ]
    return [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
      kSecPrivateKeyAttrs: half.merging(more) { $1 } as CFDictionary,
    ] as Request as CFDictionary
  }

  private func make(_ flags: SecAccessControlCreateFlags = .privateKeyUsage) throws -> SecKey {
    try #require(SecKeyCreateRandomKey(try parameters(flags), nil))
  }

  private var query: Request { [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag] }

  private func sign(_ key: SecKey) -> Int? {
    status {
      SecKeyCreateSignature(key, .ecdsaSignatureMessageX962SHA256, Fixture.message as CFData, $0)
    }.code
  }

  @Test func aSecondItemOfItIsRefused() throws {
    try onDevice { device in
      let key = try make([.privateKeyUsage, .devicePasscode])
      let copy = adding([
        kSecClass: kSecClassKey, kSecValueRef: key, kSecAttrApplicationTag: Data("copy".utf8),
        kSecReturnData: true,
      ])
      #expect(copy.status == errSecDuplicateItem && copy.result == nil)
      #expect(
        exists([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("copy".utf8)])
          == errSecItemNotFound)
      #expect(delete(query) == errSecSuccess)
      #expect(add([kSecClass: kSecClassKey, kSecValueRef: key]) == errSecItemNotFound)
      #expect(device.user.prompts.isEmpty)
      // Control: an ordinary key can be added twice.
      let ordinary: Request = [kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("p256")]
      #expect(add(ordinary) == errSecSuccess)
      #expect(
        add(ordinary.merging([kSecAttrApplicationTag: Data("copy".utf8)]) { $1 })
          == errSecSuccess)
    }
  }

  @Test func addingOneThatIsNotStoredGivesNoBytes() throws {
    try onDevice { _ in
      let key = try #require(
        SecKeyCreateRandomKey(
          try parameters(.privateKeyUsage, [kSecAttrIsPermanent: false]), nil))
      let item: Request = [kSecClass: kSecClassKey, kSecValueRef: key]
      let added = adding(item.merging([kSecReturnData: true]) { $1 })
      #expect(added.status == errSecDataNotAvailable && added.result == nil)
      #expect(add(item) == errSecSuccess)
      #expect(find([kSecClass: kSecClassKey, kSecReturnData: true]).result == nil)
    }
  }

  @Test func theCallerDoesNotSayWhatAKeyIs() throws {
    try onDevice { _ in
      let extractable = try parameters(.privateKeyUsage, [kSecAttrIsExtractable: true])
      #expect(status { SecKeyCreateRandomKey(extractable, $0) }.code == -50)
      for (attribute, value): (CFString, Any) in [
        (kSecAttrKeyClass, kSecAttrKeyClassPublic), (kSecAttrKeyType, kSecAttrKeyTypeRSA),
        (kSecAttrKeySizeInBits, 384), (kSecAttrTokenID, kSecAttrTokenIDSecureEnclave),
      ] {
        let item: Request = [kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("p256")]
        #expect(add(item.merging([attribute: value]) { $1 }) == errSecParam, "\(attribute)")
      }
      // Control: the right values are accepted.
      let key = try Fixture.key("p256")
      #expect(
        add([
          kSecClass: kSecClassKey, kSecValueRef: key,
          kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrKeyType: kSecAttrKeyTypeEC,
          kSecAttrKeySizeInBits: 256,
        ]) == errSecSuccess)
    }
  }

  @Test func nothingIsImportedByHand() throws {
    try onDevice { _ in
      let data = try Fixture.keyData("p256")
      #expect(
        add([
          kSecClass: kSecClassKey, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
          kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecValueData: data,
        ]) == errSecParam)
    }
  }

  @Test func thePublicHalfThatTheStoreKeepsIsNoAttribute() throws {
    try onDevice { _ in
      _ = try make()
      let other: Request = ["pubk" as NSString: Data([1])]
      #expect(add([kSecClass: kSecClassKey].merging(other) { $1 }) == errSecNoSuchAttr)
      #expect(update(query, other) == errSecNoSuchAttr)
      #expect(exists(query.merging(other) { $1 }) == errSecNoSuchAttr)
    }
  }

  @Test func noUpdateLetsItLeave() throws {
    try onDevice { _ in
      let key = try make()
      for change: Request in [
        [kSecAttrIsExtractable: true], [kSecAttrIsExtractable: NSNull()],
        [kSecAttrTokenID: NSNull()], [kSecAttrTokenID: "another"],
        [kSecAttrKeyClass: kSecAttrKeyClassPublic],
      ] {
        #expect(update(query, change) != errSecSuccess, "\(change)")
      }
      _ = update(query, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])
      #expect(find(query.merging([kSecReturnData: true]) { $1 }).result == nil)
      #expect(sign(key) == nil)
    }
  }

  @Test func privateKeyUsageClosesAnyKeyForGood() throws {
    try onDevice { _ in
      let item: Request = [
        kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("p256"),
        kSecAttrApplicationTag: tag, kSecAttrAccessControl: try accessControl(.privateKeyUsage),
      ]
      #expect(add(item) == errSecSuccess)
      #expect(
        update(query, [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) == errSecAuthFailed)
      #expect(
        find(query.merging([kSecReturnData: true]) { $1 }).status == errSecDataNotAvailable)
      let found = try #require(
        find(query.merging([kSecReturnRef: true]) { $1 }).result as! SecKey?)
      #expect(SecKeyCopyExternalRepresentation(found, nil) == nil)
      #expect(sign(found) == nil)
    }
  }

  @Test func eachUseAsksAnewWithoutAContext() throws {
    try onDevice { device in
      let key = try make([.privateKeyUsage, .devicePasscode])
      #expect(sign(key) == nil && sign(key) == nil)
      #expect(device.user.prompts.count == 2)
      device.user.forgetPrompts()
      // Finding the key does not use it.
      let found = try #require(
        find(query.merging([kSecReturnRef: true]) { $1 }).result as! SecKey?)
      #expect(device.user.prompts.isEmpty)
      #expect(sign(found) == nil && sign(found) == nil)
      #expect(device.user.prompts.count == 2)
    }
  }

  @Test func withAContextOneUseAsksForAll() throws {
    try onDevice { device in
      _ = try make([.privateKeyUsage, .devicePasscode])
      let context = LAContext()
      let found = try #require(
        find(
          query.merging([kSecReturnRef: true, kSecUseAuthenticationContext: context]) { $1 }
        ).result as! SecKey?)
      #expect(sign(found) == nil && sign(found) == nil)
      #expect(device.user.prompts.count == 1)
      context.invalidate()
      #expect(sign(found) == -128)
    }
  }

  @Test func noBackupTakesItToAnotherDevice() throws {
    try onDevice { device in
      _ = try #require(
        SecKeyCreateRandomKey(
          [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
          ] as Request as CFDictionary, nil))
      _ = add([kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("p256")])
      let backup = try device.backup(passphrase: "backup")
      #expect(backup.summary.migratable == 1)
      #expect(backup.summary.leftOut.count == 1)
    }
  }
}
