import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests that only a user who can read an item can weaken its protection.
@Suite struct ProtectionChangeTests {
  private var weaker: [Request] {
    get throws {
      [
        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
        [kSecAttrAccessControl: try accessControl([])],
        [kSecAttrAccessControl: try accessControl(.userPresence)],
        [kSecAttrAccount: "tom"], [kSecValueData: Data()],
      ]
    }
  }

  @Test func changingAnItemAsksAsReadingDoes() throws {
    for change in try weaker {
      try onDevice { device in
        _ = add(password([kSecAttrAccessControl: try accessControl(.devicePasscode)]))
        device.user.will(.fail)
        #expect(update(query(), change) == errSecAuthFailed)
        device.user.will(.cancel)
        #expect(update(query(), change) == errSecUserCanceled)
        #expect(
          update(query([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]), change)
            == errSecInteractionNotAllowed)
        device.user.will(.comply)
        device.user.forgetPrompts()
        #expect(value(query()) == "s3cr3t")
        #expect(device.user.prompts.count == 1)
        // Control: a user who can read the item can also update it.
        #expect(update(query(), change) == errSecSuccess)
      }
    }
  }

  @Test func anItemWithoutAValueIsAskedForToo() throws {
    try onDevice { device in
      _ = add(
        password(value: nil, [kSecAttrAccessControl: try accessControl(.devicePasscode)]))
      device.user.will(.fail)
      #expect(exists(query()) == errSecAuthFailed)
      #expect(update(query(), [kSecAttrLabel: "x"]) == errSecAuthFailed)
    }
  }
}
