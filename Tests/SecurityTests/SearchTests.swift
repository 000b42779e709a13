import Foundation
import Security
import Testing

@Suite struct SearchTests {
  @Test func whatIsNotThereIsNotFound() throws {
    try onDevice { _ in
      #expect(exists(query()) == errSecItemNotFound)
      #expect(find(query([kSecMatchLimit: kSecMatchLimitAll])).status == errSecItemNotFound)
      #expect(update(query(), [kSecAttrLabel: "x"]) == errSecItemNotFound)
      #expect(delete(query()) == errSecItemNotFound)
    }
  }

  @Test func oneReturnTypeIsBare() throws {
    try onDevice { _ in
      _ = add(password())
      #expect(find(query([kSecReturnData: true])).result is NSData)
      #expect(find(query([kSecReturnAttributes: true])).result is NSDictionary)
      #expect(find(query([kSecReturnPersistentRef: true])).result is NSData)
      #expect(find(query()).result == nil)
    }
  }

  @Test func severalReturnTypesAreADictionary() throws {
    try onDevice { _ in
      _ = add(password())
      let both: Request = [kSecReturnData: true, kSecReturnPersistentRef: true]
      let found = find(query(both)).result as? [String: Any]
      #expect(found?["v_Data"] is Data && found?["v_PersistentRef"] is Data)
      // Only a search adds the attributes to a value.
      #expect(found?["acct"] as? String == "eva")
      let added = adding(password("adam", both)).result as? [String: Any]
      #expect(added.map { Set($0.keys) } == ["v_Data", "v_PersistentRef"])
      let all =
        find(query([kSecReturnData: true, kSecReturnAttributes: true])).result as? [String: Any]
      #expect(all?["v_Data"] as? Data == Data("s3cr3t".utf8))
      #expect(all?["acct"] as? String == "eva")
      #expect(all?["class"] == nil)
    }
  }

  @Test func theLimitIsOneUnlessItIsSaid() throws {
    try onDevice { _ in
      for account in ["a", "b", "c"] { _ = add(password(account)) }
      let all: Request = [kSecClass: kSecClassGenericPassword, kSecReturnData: true]
      func count(_ limit: Any) -> Int? {
        (find(all.merging([kSecMatchLimit: limit]) { $1 }).result as? [Data])?.count
      }
      #expect(find(all).result is NSData)
      #expect(count(kSecMatchLimitOne) == nil)
      #expect(count(1) == nil)
      #expect(count(kSecMatchLimitAll) == 3)
      #expect(count(2) == 2)
      #expect(count(5) == 3)
      #expect(count(-1) == 3)
      #expect(find(all.merging([kSecMatchLimit: 0]) { $1 }).status == errSecItemNotFound)
      for wrong: Any in [-2, "all", true, Data()] {
        #expect(
          find(all.merging([kSecMatchLimit: wrong]) { $1 }).status == errSecParam, "\(wrong)")
      }
    }
  }

  @Test func anItemWithoutAValueHasNoValueKey() throws {
    try onDevice { _ in
      #expect(add(password(value: nil)) == errSecSuccess)
      let found =
        find(query([kSecReturnData: true, kSecReturnAttributes: true])).result as? [String: Any]
      #expect(found?["acct"] as? String == "eva")
      #expect(found?.keys.contains("v_Data") == false)
      let value = find(query([kSecReturnData: true]))
      #expect(value.status == errSecSuccess && value.result == nil)
      let values = find(query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]))
      #expect(values.result as? [Data] == [])
    }
  }

  @Test func aReferenceToAPasswordIsNil() throws {
    try onDevice { _ in
      _ = add(password())
      let found = find(query([kSecReturnRef: true]))
      #expect(found.status == errSecSuccess && found.result == nil)
    }
  }

  @Test func whatCameBackFindsTheItemAgain() throws {
    try onDevice { _ in
      _ = add(password([kSecAttrLabel: "label", kSecAttrGeneric: Data([1, 2])]))
      var again: [String: Any] = try #require(attributes(query()))
      #expect(again["accc"] is SecAccessControl)
      #expect(again["pdmn"] as? String == "ak")
      again["class"] = kSecClassGenericPassword
      #expect(SecItemCopyMatching(again as CFDictionary, nil) == errSecSuccess)
      #expect(SecItemDelete(again as CFDictionary) == errSecSuccess)
    }
  }

  @Test func internetItemsHaveASecurityDomain() throws {
    try onDevice { _ in
      let server: Request = [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example",
        kSecAttrPort: "" as NSString,
      ]
      #expect(add(server) == errSecSuccess)
      let found = attributes([
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example",
      ])
      #expect(found?["sdmn"] as? String == "")
      #expect(found?["port"] as? Int == 0)
    }
  }

  @Test func aNumberGivenAsTextIsANumber() throws {
    try onDevice { _ in
      let server: Request = [kSecClass: kSecClassInternetPassword, kSecAttrServer: "a.example"]
      _ = add(server.merging([kSecAttrPort: "8080"]) { $1 })
      #expect(exists(server.merging([kSecAttrPort: 8080]) { $1 }) == errSecSuccess)
      #expect(attributes(server)?["port"] as? Int == 8080)
    }
  }

  @Test func textComparesByItsBytes() throws {
    try onDevice { _ in
      let composed = "\u{e9}"
      let decomposed = "e\u{301}"
      #expect(add(password(composed)) == errSecSuccess)
      #expect(add(password(decomposed)) == errSecSuccess)
      var asData = password()
      asData[kSecAttrAccount] = Data(composed.utf8)
      #expect(add(asData) == errSecDuplicateItem)
      let found = attributes(query(decomposed))?["acct"] as? String
      #expect(found.map { Array($0.utf8) } == Array(decomposed.utf8))
    }
  }

  @Test func aValueInAQueryFiltersNothing() throws {
    try onDevice { _ in
      _ = add(password())
      #expect(exists(password(value: "another")) == errSecSuccess)
    }
  }

  @Test func accessControlFiltersNothing() throws {
    try onDevice { _ in
      _ = add(password())
      let control = try accessControl(.userPresence, kSecAttrAccessibleAfterFirstUnlock)
      #expect(exists(query([kSecAttrAccessControl: control])) == errSecSuccess)
    }
  }

  @Test func aListOfItemsIsForNoSearch() throws {
    try onDevice { _ in
      _ = add(password())
      #expect(exists(query([kSecUseItemList: [password()]])) == errSecParam)
      #expect(exists(query([kSecMatchItemList: [password()]])) == errSecParam)
    }
  }

  @Test func accessibilityFilters() throws {
    try onDevice { _ in
      _ = add(password([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]))
      #expect(
        exists(query([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == errSecSuccess)
      #expect(
        exists(query([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]))
          == errSecItemNotFound)
    }
  }
}
