// sample: test a phone
import Foundation
import KeychainTesting
import Security
import Testing

@Suite(.given { try save("s3cr3t", account: "eva") })
struct LoginTests {
  @Test(.lockedPhone) func isClosedInThePocket() throws {
    #expect(password(account: "eva") == nil)
    try SimulatedDevice.current.unlock()
    #expect(password(account: "eva") == "s3cr3t")
  }

  @Test(.reenrolled) func isClosedToAnotherFinger() {
    #expect(password(account: "eva") == nil)
  }

  @Test(.reinstalled) func outlivesTheApplication() {
    #expect(password(account: "eva") == "s3cr3t")
  }
}

private func save(_ password: String, account: String) throws {
  let control = SecAccessControlCreateWithFlags(
    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .biometryCurrentSet, nil)!
  let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
    kSecAttrAccessControl: control, kSecValueData: Data(password.utf8),
  ]
  let status = SecItemAdd(item as CFDictionary, nil)
  try #require(status == errSecSuccess)
}

private func password(account: String) -> String? {
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true,
  ]
  var found: CFTypeRef?
  guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
  return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
}
// sample: end
