import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests typical functions of applications for passwords. Saving, reading and deleting all start from
/// a query with the service, account and accessibility.
@Suite struct PasswordHelpersTests {
  private func base(_ account: String, _ accessible: CFString = kSecAttrAccessibleWhenUnlocked)
    -> [String: Any]
  {
    [
      kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account,
      kSecAttrService as String: "letters", kSecAttrAccessible as String: accessible,
    ]
  }

  /// Deletes the existing item, and adds a new one.
  private func save(_ text: String, _ base: [String: Any]) -> Bool {
    SecItemDelete(base as CFDictionary)
    var item = base
    item[kSecValueData as String] = text.data(using: .utf8)
    return SecItemAdd(item as CFDictionary, nil) == errSecSuccess
  }

  private func read(_ base: [String: Any]) -> String? {
    var query = base
    query[kSecReturnData as String] = kCFBooleanTrue
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    var found: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
    return (found as? Data).flatMap { String(data: $0, encoding: .utf8) }
  }

  @Test func aPasswordIsSavedReplacedReadAndDeleted() throws {
    try onDevice { _ in
      #expect(read(base("eva")) == nil)
      #expect(save("first", base("eva")))
      #expect(save("sécond ✓", base("eva")))
      #expect(save("other", base("adam")))
      #expect(read(base("eva")) == "sécond ✓")
      #expect(SecItemDelete(base("eva") as CFDictionary) == errSecSuccess)
      #expect(SecItemDelete(base("eva") as CFDictionary) == errSecItemNotFound)
      #expect(read(base("eva")) == nil)
      #expect(read(base("adam")) == "other")
    }
  }

  @Test func theAccessibilityOfTheQueryIsThatOfTheItem() throws {
    try onDevice { device in
      _ = save("s3cr3t", base("eva"))
      _ = save("s3cr3t", base("adam", kSecAttrAccessibleAfterFirstUnlock))
      device.lock()
      #expect(read(base("eva")) == nil)
      #expect(read(base("adam", kSecAttrAccessibleAfterFirstUnlock)) == "s3cr3t")
    }
  }

  /// Such functions fail if a new version of the application changes the accessibility.
  @Test func underAnotherAccessibilityAnItemIsNotFoundAndInTheWay() throws {
    try onDevice { _ in
      _ = save("s3cr3t", base("eva"))
      let weaker = base("eva", kSecAttrAccessibleAfterFirstUnlock)
      #expect(read(weaker) == nil)
      #expect(!save("new", weaker), "The primary key is the same, so it is a duplicate.")
      var unsaid = base("eva")
      unsaid[kSecAttrAccessible as String] = nil
      #expect(read(unsaid) == "s3cr3t")
      let change = [kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]
      #expect(SecItemUpdate(unsaid as CFDictionary, change as CFDictionary) == errSecSuccess)
      #expect(read(weaker) == "s3cr3t")
    }
  }
}
