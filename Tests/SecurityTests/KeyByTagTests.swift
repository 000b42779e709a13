import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests RSA keys that are stored and found by their tag.
@Suite struct KeyByTagTests {
  private func base(_ tag: String) -> Request {
    [
      kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeRSA,
      kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationTag: Data(tag.utf8),
      kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
    ]
  }

  private func save(_ key: SecKey, _ tag: String) -> OSStatus {
    _ = delete(base(tag))
    return add(base(tag).merging([kSecValueRef: key]) { $1 })
  }

  private func read(_ tag: String) -> SecKey? {
    let found = find(
      base(tag).merging([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 })
    return found.result as! SecKey?
  }

  private func rsa() throws -> SecKey { try Fixture.key("rsa2048") }

  @Test func aKeyIsSavedReplacedReadAndDeleted() throws {
    let first = try rsa()
    let second = try #require(
      SecKeyCreateRandomKey(
        [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as CFDictionary, nil))
    try onDevice { _ in
      #expect(read("com.example.mine") == nil)
      #expect(save(first, "com.example.mine") == errSecSuccess)
      #expect(save(second, "com.example.mine") == errSecSuccess)
      #expect(read("com.example.mine") == second)
      #expect(read("com.example.mine") != first)
      #expect(read("com.example.other") == nil)
      #expect(delete(base("com.example.mine")) == errSecSuccess)
      #expect(read("com.example.mine") == nil)
    }
  }

  @Test func theKeyThatIsFoundIsTheOneThatWasSaved() throws {
    let key = try rsa()
    try onDevice { device in
      _ = save(key, "com.example.mine")
      let found = try #require(read("com.example.mine"))
      let publicKey = try #require(SecKeyCopyPublicKey(key))
      let signature = try #require(
        SecKeyCreateSignature(
          found, .rsaSignatureMessagePSSSHA256, Fixture.message as CFData, nil))
      #expect(
        SecKeyVerifySignature(
          publicKey, .rsaSignatureMessagePSSSHA256, Fixture.message as CFData, signature, nil))
      device.lock()
      #expect(read("com.example.mine") == nil)
    }
  }

  @Test func theHalvesOfAPairAreTwoItemsUnderOneTag() throws {
    let key = try rsa()
    try onDevice { _ in
      _ = save(key, "com.example.mine")
      let half = base("com.example.mine").merging([kSecAttrKeyClass: kSecAttrKeyClassPublic]) { $1 }
      #expect(exists(half) == errSecItemNotFound)
      #expect(add(half.merging([kSecValueRef: SecKeyCopyPublicKey(key)!]) { $1 }) == errSecSuccess)
      #expect(read("com.example.mine") == key)
      #expect(delete(base("com.example.mine")) == errSecSuccess)
      #expect(exists(half) == errSecSuccess)
    }
  }
}
