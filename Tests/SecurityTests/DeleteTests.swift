import AtRestKeychain
import Foundation
import Security
import Testing

@Suite struct DeleteTests {
  @Test func everyMatchIsDeleted() throws {
    try onDevice { _ in
      for account in ["a", "b"] { _ = add(password(account)) }
      _ = add(password("c", service: "other"))
      #expect(
        delete([kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]) == errSecSuccess)
      #expect(exists(query("a")) == errSecItemNotFound)
      #expect(exists(query("c", service: "other")) == errSecSuccess)
    }
  }

  @Test func everyGroupLosesIt() throws {
    let identity = ApplicationIdentity("app", keychainAccessGroups: ["one", "two"])
    try onDevice(as: identity) { _ in
      for group in ["one", "two", "app"] {
        #expect(add(password([kSecAttrAccessGroup: group])) == errSecSuccess)
      }
      #expect(delete(query([kSecAttrAccessGroup: "two"])) == errSecSuccess)
      #expect(exists(query([kSecAttrAccessGroup: "one"])) == errSecSuccess)
      #expect(delete(query()) == errSecSuccess)
      #expect(exists(query()) == errSecItemNotFound)
    }
  }

  /// iOS refuses any limit, but code that also runs on macOS passes this one.
  @Test func theOnlyLimitIsAll() throws {
    try onDevice { _ in
      for account in ["a", "b"] { _ = add(password(account)) }
      let all: Request = [kSecClass: kSecClassGenericPassword]
      for limit: Any in [kSecMatchLimitOne, 1, 2] {
        #expect(delete(all.merging([kSecMatchLimit: limit]) { $1 }) == errSecParam)
      }
      #expect(exists(query("a")) == errSecSuccess)
      #expect(delete(all.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 }) == errSecSuccess)
      #expect(exists(all) == errSecItemNotFound)
    }
  }

  @Test func returnKeysAreIgnored() throws {
    try onDevice { _ in
      _ = add(password())
      #expect(delete(query([kSecReturnData: true, kSecReturnAttributes: true])) == errSecSuccess)
    }
  }

  @Test func nobodyIsAsked() throws {
    try onDevice { device in
      _ = add(password([kSecAttrAccessControl: try accessControl(.userPresence)]))
      #expect(delete(query()) == errSecSuccess)
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func aLockedItemIsDeletedByItsKey() throws {
    try onDevice { device in
      _ = add(password())
      device.lock()
      #expect(delete(query()) == errSecSuccess)
      try device.unlock()
      #expect(exists(query()) == errSecItemNotFound)
    }
  }

  @Test func whileLockedEveryAttributeDecidesWhatIsDeleted() throws {
    try onDevice { device in
      _ = add(password([kSecAttrComment: "comment"]))
      device.lock()
      for (comment, status) in [("other", errSecItemNotFound), ("comment", errSecSuccess)] {
        let query: Request = [kSecClass: kSecClassGenericPassword, kSecAttrComment: comment]
        #expect(delete(query) == status)
      }
      #expect(exists(query()) == errSecItemNotFound)
    }
  }
}
