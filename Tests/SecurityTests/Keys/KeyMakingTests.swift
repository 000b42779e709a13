import Foundation
import Security
import Testing

@Suite struct KeyMakingTests {
  private func make(_ parameters: [CFString: Any]) -> (key: SecKey?, code: Int?) {
    let (key, code) = status { SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    return (key, code)
  }

  private func tag() -> Data { Data("com.example.\(UUID())".utf8) }

  private func find(_ tag: Data, _ keyClass: CFString) -> SecKey? {
    var result: CFTypeRef?
    let query: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecAttrKeyClass: keyClass,
      kSecReturnRef: true,
    ]
    SecItemCopyMatching(query as CFDictionary, &result)
    return result as? SecKey
  }

  @Test(arguments: [256, 384, 521])
  func curvesAreMade(bits: Int) throws {
    let (key, code) = make([
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: bits,
    ])
    let made = try #require(key)
    #expect(code == nil)
    #expect(SecKeyGetBlockSize(made) == (bits + 7) / 8)
    let data = SecKeyCopyExternalRepresentation(made, nil) as Data?
    #expect(data?.count == 1 + 3 * ((bits + 7) / 8))
  }

  @Test func rsaIsMadeAndNumbersMayBeText() throws {
    let key = try #require(
      make([kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: "2048"]).key)
    #expect(SecKeyGetBlockSize(key) == 256)
  }

  @Test(
    arguments: [
      (kSecAttrKeyTypeECSECPrimeRandom as String, 257, -50),
      (kSecAttrKeyTypeECSECPrimeRandom as String, 192, -4),
      (kSecAttrKeyTypeRSA as String, 1024, -4), (kSecAttrKeyTypeRSA as String, 2049, -50),
      (kSecAttrKeyTypeRSA as String, 1 << 40, -50), (kSecAttrKeyTypeAES as String, 256, -50),
      ("", 256, -50),
    ])
  func othersAreRefused(type: String, bits: Int, code: Int) {
    let made = make([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
    #expect(made.key == nil)
    #expect(made.code == code)
  }

  @Test func aSizeIsAskedFor() {
    let made = make([kSecAttrKeyType: kSecAttrKeyTypeRSA])
    #expect(made.key == nil)
    #expect(made.code == -50)
  }

  @Test func keysAreNotStoredUnlessTheyArePermanent() throws {
    let tag = tag()
    _ = try #require(
      make([
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        kSecAttrApplicationTag: tag,
      ]).key)
    #expect(find(tag, kSecAttrKeyClassPrivate) == nil)
  }

  @Test func permanentAtTheTopStoresBothHalves() throws {
    let tag = tag()
    let key = try #require(
      make([
        kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
        kSecAttrApplicationTag: tag, kSecAttrIsPermanent: true,
      ]).key)
    #expect(find(tag, kSecAttrKeyClassPrivate) == key)
    #expect(find(tag, kSecAttrKeyClassPublic) == SecKeyCopyPublicKey(key))
  }

  @Test func aHalfCanBePermanentAlone() throws {
    let tag = tag()
    let made = make([
      kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048,
      kSecPrivateKeyAttrs: [
        kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag,
      ] as [CFString: Any] as CFDictionary,
    ])
    let key = try #require(made.key)
    let found = try #require(find(tag, kSecAttrKeyClassPrivate))
    #expect(found == key)
    #expect(find(tag, kSecAttrKeyClassPublic) == nil)
    #expect(
      SecKeyCopyExternalRepresentation(found, nil) == SecKeyCopyExternalRepresentation(key, nil))
  }

  @Test func whatTheStoreRefusesIsTheError() {
    let made = make([
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
      kSecAttrIsPermanent: true, kSecAttrAccessGroup: "somebody.elses",
    ])
    #expect(made.key == nil)
    #expect(made.code == -34018)
  }

  @Test func theOlderCallGivesBothHalves() throws {
    var publicKey: SecKey?
    var privateKey: SecKey?
    let parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256,
    ]
    #expect(SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey) == 0)
    #expect(SecKeyCopyPublicKey(try #require(privateKey)) == publicKey)
    #expect(SecKeyGeneratePair(NSDictionary(), &publicKey, &privateKey) == -50)
  }
}
