import AtRestSimulation
import Foundation
import Security
import Testing

@Suite struct LockedTests {
  @Test func aLockedItemGivesNothing() throws {
    try onDevice { device in
      _ = add(password())
      #expect(value(query()) == "s3cr3t")
      device.lock()
      for more: Request in [
        [kSecReturnData: true], [kSecReturnAttributes: true], [kSecReturnPersistentRef: true],
        [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll],
      ] {
        let found = find(query(more))
        #expect(found.status == errSecInteractionNotAllowed)
        #expect(found.result == nil)
      }
      #expect(update(query(), [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
      try device.unlock()
      #expect(value(query()) == "s3cr3t")
    }
  }

  @Test func nothingIsAddedToALockedClass() throws {
    try onDevice { device in
      device.lock()
      #expect(add(password()) == errSecInteractionNotAllowed)
      #expect(
        add(password([kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == errSecSuccess)
    }
  }

  @Test func whatDoesNotExistIsNotFoundWhileLocked() throws {
    try onDevice { device in
      device.lock()
      #expect(exists(query()) == errSecItemNotFound)
      #expect(find(query([kSecReturnData: true])).status == errSecItemNotFound)
    }
  }

  @Test func aListThatWouldBeShortIsRefused() throws {
    try onDevice { device in
      _ = add(password("a"))
      _ = add(password("b", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]))
      device.lock()
      let all: Request = [
        kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
        kSecReturnAttributes: true,
      ]
      #expect(find(all).status == errSecInteractionNotAllowed)
    }
  }

  @Test func beforeTheFirstUnlockOnlyWhatIsAlwaysThereIs() throws {
    try onDevice { device in
      for (account, accessible) in [
        ("a", kSecAttrAccessibleWhenUnlocked), ("b", kSecAttrAccessibleAfterFirstUnlock),
        ("c", kSecAttrAccessibleAlways),
      ] {
        _ = add(password(account, [kSecAttrAccessible: accessible]))
      }
      try device.restart()
      #expect(find(query("a", [kSecReturnData: true])).status == errSecInteractionNotAllowed)
      #expect(find(query("b", [kSecReturnData: true])).status == errSecInteractionNotAllowed)
      #expect(value(query("c")) == "s3cr3t")
      try device.unlock()
      device.lock()
      #expect(value(query("b")) == "s3cr3t")
    }
  }
}
