import Foundation
import Security
import Testing

@Suite struct UpdateTests {
  @Test func aValueAndAttributesChangeTogether() throws {
    try onDevice { _ in
      _ = add(password())
      #expect(
        update(query(), [kSecValueData: Data("new".utf8), kSecAttrLabel: "label"])
          == errSecSuccess)
      #expect(value(query()) == "new")
      #expect(attributes(query())?["labl"] as? String == "label")
    }
  }

  @Test func accountAndServiceMoveTheItem() throws {
    try onDevice { _ in
      let reference = adding(password([kSecReturnPersistentRef: true])).result as? Data
      #expect(
        update(query(), [kSecAttrAccount: "tom", kSecAttrService: "chat"]) == errSecSuccess)
      #expect(exists(query()) == errSecItemNotFound)
      #expect(value(query("tom", service: "chat")) == "s3cr3t")
      #expect(value([kSecValuePersistentRef: reference as Any]) == "s3cr3t")
    }
  }

  @Test func anItemDoesNotMoveOntoAnother() throws {
    try onDevice { _ in
      _ = add(password("a", value: "1"))
      _ = add(password("b", value: "2"))
      #expect(update(query("a"), [kSecAttrAccount: "b"]) == errSecDuplicateItem)
      #expect(value(query("a")) == "1")
      #expect(value(query("b")) == "2")
    }
  }

  @Test func everyMatchIsChanged() throws {
    try onDevice { _ in
      for account in ["a", "b"] { _ = add(password(account)) }
      _ = add(password("c", service: "other"))
      #expect(
        update(
          [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"],
          [kSecValueData: Data("new".utf8)]) == errSecSuccess)
      #expect(value(query("a")) == "new" && value(query("b")) == "new")
      #expect(value(query("c", service: "other")) == "s3cr3t")
    }
  }

  @Test func accessibilityChangesWithoutASecondItem() throws {
    try onDevice { device in
      _ = add(password())
      #expect(
        update(query(), [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])
          == errSecSuccess)
      device.lock()
      #expect(value(query()) == "s3cr3t")
      #expect(
        find(query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])).status
          == errSecSuccess)
    }
  }

  @Test func aValueMustBeData() throws {
    try onDevice { _ in
      _ = add(password())
      for wrong: Any in [NSNull(), "text", 5] {
        #expect(update(query(), [kSecValueData: wrong]) == errSecParam, "\(wrong)")
      }
      #expect(value(query()) == "s3cr3t")
    }
  }

  @Test func nothingComesBackFromAnUpdate() throws {
    try onDevice { _ in
      _ = add(password())
      for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
        #expect(update(query([key: true]), [kSecAttrLabel: "x"]) == errSecParam)
      }
    }
  }

  @Test func limitsAndListsAreForNoUpdate() throws {
    try onDevice { _ in
      _ = add(password())
      for more: Request in [
        [kSecMatchLimit: kSecMatchLimitAll], [kSecMatchLimit: kSecMatchLimitOne],
        [kSecUseItemList: [password()]],
      ] {
        #expect(update(query(more), [kSecAttrLabel: "x"]) == errSecParam)
      }
    }
  }

  @Test func onlyAttributesAndValuesChange() throws {
    try onDevice { _ in
      _ = add(password())
      for more: Request in [
        [kSecClass: kSecClassInternetPassword], [kSecReturnData: true],
        [kSecMatchLimit: kSecMatchLimitOne], [kSecUseOperationPrompt: "why"],
      ] {
        #expect(update(query(), more) == errSecNoSuchAttr)
      }
      #expect(update(query(), [kSecAttrServer: "a.example"]) == errSecNoSuchAttr)
    }
  }

  @Test func nullIsNoValue() throws {
    try onDevice { _ in
      _ = add(password([kSecAttrLabel: "label"]))
      for key in [kSecAttrLabel, kSecAttrAccount] {
        #expect(update(query(), [key: NSNull()]) == errSecParam)
      }
      #expect(attributes(query())?["labl"] as? String == "label")
    }
  }

  @Test func aReferenceFindsWhatToChange() throws {
    try onDevice { _ in
      let reference = adding(password([kSecReturnPersistentRef: true])).result as? Data
      let byReference: Request = [kSecValuePersistentRef: reference as Any]
      #expect(update(byReference, [kSecValueData: Data("new".utf8)]) == errSecSuccess)
      #expect(value(byReference) == "new")
    }
  }
}
