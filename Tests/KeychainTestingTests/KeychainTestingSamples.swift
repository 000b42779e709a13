import Foundation
import KeychainTesting
import Security
import Testing

// sample: try all events
extension Trait where Self == PhoneTrait {
  static var signedIn: Self { .given { try signIn(as: "eva") } }
}

@Suite(.signedIn) struct SessionTests {
  @Test(arguments: DeviceEvent.allCases)
  func nobodyElseIsSignedIn(after event: DeviceEvent) throws {
    let phone = try SimulatedDevice.current.after(event)
    phone.run { #expect(user == nil || user == "eva") }
  }

  @Test(.user(.cancel)) func aDismissedPromptDoesNotSignOut() throws {
    #expect(user == nil)
    #expect(try SimulatedDevice.current.user.prompts.count == 1)
    try SimulatedDevice.current.user.will(.comply)
    #expect(user == "eva")
  }
}
// sample: end

private func signIn(as user: String) throws {
  let control = SecAccessControlCreateWithFlags(
    nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .userPresence, nil)!
  let item: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "session",
    kSecAttrAccessControl: control, kSecValueData: Data(user.utf8),
  ]
  let status = SecItemAdd(item as CFDictionary, nil)
  try #require(status == errSecSuccess)
}

private var user: String? {
  let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "session", kSecReturnData: true,
  ]
  var found: CFTypeRef?
  guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
  return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
}
