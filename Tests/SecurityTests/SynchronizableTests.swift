import Foundation
import Security
import Testing

@Suite struct SynchronizableTests {
  private let yes: Request = [kSecAttrSynchronizable: true]
  private let any: Request = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]

  @Test func aQueryFindsItOnlyWhereItSaysSo() throws {
    try onDevice { _ in
      #expect(add(password(value: "cloud", yes)) == errSecSuccess)
      #expect(exists(query()) == errSecItemNotFound)
      #expect(value(query(yes)) == "cloud")
      #expect(value(query(any)) == "cloud")
    }
  }

  @Test func withAndWithoutAreTwoItems() throws {
    try onDevice { _ in
      #expect(add(password(value: "cloud", yes)) == errSecSuccess)
      #expect(add(password(value: "local")) == errSecSuccess)
      #expect(value(query()) == "local")
      let both = find(
        query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll]).merging(any) { $1 })
      #expect((both.result as? [Data])?.count == 2)
    }
  }

  @Test func deletingEitherTakesBoth() throws {
    try onDevice { _ in
      _ = add(password(yes))
      _ = add(password())
      #expect(delete(query(any)) == errSecSuccess)
      #expect(exists(query(any)) == errSecItemNotFound)
    }
  }

  @Test func deletingWithoutAWordLeavesIt() throws {
    try onDevice { _ in
      _ = add(password(yes))
      #expect(delete([kSecClass: kSecClassGenericPassword]) == errSecItemNotFound)
      #expect(exists(query(yes)) == errSecSuccess)
    }
  }

  @Test func accessControlKeepsAnItemHere() throws {
    try onDevice { _ in
      let control: Request = [kSecAttrAccessControl: try accessControl(.userPresence)]
      #expect(add(password(control.merging(yes) { $1 })) == errSecParam)
      _ = add(password(yes))
      #expect(update(query(yes), control) == errSecParam)
      #expect(exists(query(yes)) == errSecSuccess)
    }
  }

  /// Apple's documentation forbids it, but its keychain does not.
  @Test func anItemBoundToTheDeviceIsAccepted() throws {
    try onDevice { _ in
      let bound: Request = [
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
      ]
      #expect(add(password(bound.merging(yes) { $1 })) == errSecSuccess)
      #expect(value(query(yes)) == "s3cr3t")
      #expect(update(query(yes), bound) == errSecSuccess)
    }
  }
}
