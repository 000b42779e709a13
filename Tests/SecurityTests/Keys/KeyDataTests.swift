import Foundation
import Security
import Testing

@Suite struct KeyDataTests {
  private func make(_ data: Data, _ type: CFString, _ keyClass: Any) -> (SecKey?, Int?) {
    let attributes: [CFString: Any] = [kSecAttrKeyType: type, kSecAttrKeyClass: keyClass]
    let (key, code) = status {
      SecKeyCreateWithData(data as CFData, attributes as CFDictionary, $0)
    }
    return (key, code)
  }

  @Test(arguments: ["p256", "p384", "p521", "rsa2048", "rsa4096"])
  func keysComeBackAsTheyWent(name: String) throws {
    let type = name.hasPrefix("rsa") ? kSecAttrKeyTypeRSA : kSecAttrKeyTypeEC
    let data = try Fixture.keyData(name)
    let key = try #require(make(data, type, kSecAttrKeyClassPrivate).0)
    #expect(SecKeyCopyExternalRepresentation(key, nil) as Data? == data)
    let publicKey = try #require(SecKeyCopyPublicKey(key))
    let publicData = try #require(SecKeyCopyExternalRepresentation(publicKey, nil) as Data?)
    #expect(make(publicData, type, kSecAttrKeyClassPublic).0 == publicKey)
    #expect(publicKey != key)
    #expect(SecKeyCopyPublicKey(publicKey) == publicKey)
  }

  @Test func theSizeIsThatOfTheData() throws {
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      kSecAttrKeySizeInBits: 8 * 97,
    ]
    let key = SecKeyCreateWithData(
      try Fixture.keyData("p256") as CFData, attributes as CFDictionary, nil)
    #expect(key.map(SecKeyGetBlockSize) == 32)
  }

  @Test func anythingElseIsRefused() throws {
    let curve = try Fixture.keyData("p256")
    let rsa = try Fixture.keyData("rsa2048")
    let cases: [(Data, CFString, Any, Int)] = [
      (curve, kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, -50),
      (rsa, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, -50),
      (curve, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic, -50),
      (rsa, kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic, -50),
      (curve.prefix(65), kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, -50),
      (curve.flipped(at: 5), kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, -50),
      (curve.prefix(65).flipped(at: 5), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic, -50),
      (curve.suffix(32), kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate, -50),
      (rsa.dropLast(), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, -50),
      (rsa + [0], kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate, -50),
      (Data(), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic, -50),
      (Data(), kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic, -50),
      (curve, "", kSecAttrKeyClassPrivate, -50),
      (curve, kSecAttrKeyTypeEC, 7, -50), (curve, kSecAttrKeyTypeEC, NSNull(), -50),
      (curve, kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric, -4),
    ]
    for (data, type, keyClass, expected) in cases {
      let (key, code) = make(data, type, keyClass)
      #expect(key == nil)
      #expect(code == expected)
    }
  }

  @Test func attributesSayWhatAKeyIs() throws {
    let key = try Fixture.key("p256")
    let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
    #expect(attributes[kSecClass as String] as? String == kSecClassKey as String)
    #expect(attributes[kSecAttrKeyClass as String] as? String == kSecAttrKeyClassPrivate as String)
    #expect(
      attributes[kSecAttrKeyType as String] as? String
        == kSecAttrKeyTypeECSECPrimeRandom as String)
    #expect(attributes[kSecAttrKeySizeInBits as String] as? Int == 256)
    #expect(attributes[kSecAttrCanSign as String] as? Bool == true)
    #expect(attributes[kSecAttrCanVerify as String] as? Bool == false)
    #expect(attributes[kSecAttrCanDerive as String] as? Bool == true)
    #expect(attributes[kSecValueData as String] as? Data == (try Fixture.keyData("p256")))
    #expect((attributes[kSecAttrApplicationLabel as String] as? Data)?.count == 20)
    #expect(attributes["pubk"] == nil)
  }

  @Test func halvesHaveTheSameLabel() throws {
    let halves = [try Fixture.key("rsa2048"), try Fixture.publicKey("rsa2048")]
    let attributes = halves.compactMap { SecKeyCopyAttributes($0) as? [String: Any] }
    let labels = attributes.map { $0[kSecAttrApplicationLabel as String] as? Data }
    #expect(labels[0] == labels[1])
    #expect(attributes[1][kSecAttrKeyClass as String] as? String == "0")
    #expect(attributes[1][kSecAttrCanEncrypt as String] as? Bool == true)
    #expect(attributes[1][kSecAttrCanSign as String] as? Bool == false)
  }
}
