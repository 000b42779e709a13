// sample: test a locked phone
import AtRestSimulation
import Foundation
import Security
import Testing

@Test func thePasswordIsReadableOnlyWhileUnlocked() throws {
  let device = try SimulatedDevice(passcode: "1234")
  try device.run {
    #expect(save("s3cr3t", account: "eva") == errSecSuccess)
    device.lock()
    #expect(password(account: "eva") == nil)
    try device.unlock()
    #expect(password(account: "eva") == "s3cr3t")
  }
}

private func save(_ password: String, account: String) -> OSStatus {
  let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
    kSecValueData: Data(password.utf8),
  ]
  return SecItemAdd(item as CFDictionary, nil)
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
