import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests that a call asks the user once, regardless of the number of items and results.
@Suite struct OnePromptTests {
  @Test func severalResultsAskOnce() throws {
    try onDevice { device in
      let control = try accessControl(.devicePasscode)
      _ = add([
        kSecClass: kSecClassKey, kSecValueRef: try Fixture.key("p256"),
        kSecAttrAccessControl: control,
      ])
      let found = find([
        kSecClass: kSecClassKey, kSecReturnRef: true, kSecReturnData: true,
        kSecReturnAttributes: true,
      ])
      #expect(found.status == errSecSuccess)
      #expect(device.user.prompts.count == 1)
    }
  }

  @Test func severalItemsAskOnce() throws {
    try onDevice { device in
      let control = try accessControl(.devicePasscode)
      for account in ["a", "b"] { _ = add(password(account, [kSecAttrAccessControl: control])) }
      let found = find([
        kSecClass: kSecClassGenericPassword, kSecReturnData: true,
        kSecMatchLimit: kSecMatchLimitAll,
      ])
      #expect((found.result as? [Data])?.count == 2)
      #expect(device.user.prompts.count == 1)
    }
  }
}
