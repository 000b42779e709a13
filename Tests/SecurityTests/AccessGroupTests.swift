import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

@Suite struct AccessGroupTests {
  private func group(_ name: String) -> Request { [kSecAttrAccessGroup: name] }

  @Test func aGroupThatIsNotOwnedIsAnEntitlementMissing() throws {
    try onDevice { _ in
      let foreign = group("com.example.other")
      #expect(add(password(foreign)) == errSecMissingEntitlement)
      #expect(exists(query(foreign)) == errSecMissingEntitlement)
      #expect(update(query(foreign), [kSecAttrLabel: "x"]) == errSecMissingEntitlement)
      #expect(delete(query(foreign)) == errSecMissingEntitlement)
      _ = add(password())
      #expect(update(query(), foreign) == errSecMissingEntitlement)
    }
  }

  @Test func theSameItemReachedImplicitlyIsNotFound() throws {
    let device = try SimulatedDevice(passcode: "1234")
    device.run(as: ApplicationIdentity("other")) { #expect(add(password()) == errSecSuccess) }
    device.run(as: ApplicationIdentity("app")) {
      #expect(exists(query()) == errSecItemNotFound)
      #expect(update(query(), [kSecAttrLabel: "x"]) == errSecItemNotFound)
      #expect(delete(query()) == errSecItemNotFound)
    }
    device.run(as: ApplicationIdentity("other")) { #expect(exists(query()) == errSecSuccess) }
  }

  @Test(arguments: [
    (["shared", "more"], "shared"), ([], "app"),
  ])
  func aNewItemGoesToTheFirstGroup(groups: [String], expected: String) throws {
    try onDevice(as: ApplicationIdentity("app", keychainAccessGroups: groups)) { _ in
      _ = add(password())
      #expect(attributes(query())?["agrp"] as? String == expected)
    }
  }

  @Test func aSearchWithoutAGroupFindsAllThatAreOwned() throws {
    let identity = ApplicationIdentity(
      "app", keychainAccessGroups: ["shared"], applicationGroups: ["group.app"])
    try onDevice(as: identity) { _ in
      for name in ["shared", "app", "group.app"] { _ = add(password(group(name))) }
      let all = find(query([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]))
      let groups = (all.result as? [[String: Any]])?.compactMap { $0["agrp"] as? String }
      #expect(groups.map(Set.init) == ["shared", "app", "group.app"])
    }
  }

  @Test func anExtensionSharesAGroup() throws {
    let device = try SimulatedDevice(passcode: "1234")
    device.run(as: ApplicationIdentity("app", keychainAccessGroups: ["shared"])) {
      _ = add(password())
      _ = add(password("private", group("app")))
    }
    device.run(as: ApplicationIdentity("app.extension", keychainAccessGroups: ["shared"])) {
      #expect(value(query()) == "s3cr3t")
      #expect(exists(query("private")) == errSecItemNotFound)
    }
  }

  @Test func anItemMovesToAnotherGroup() throws {
    try onDevice(as: ApplicationIdentity("app", keychainAccessGroups: ["shared"])) { _ in
      _ = add(password())
      #expect(update(query(), group("app")) == errSecSuccess)
      #expect(exists(query(group("shared"))) == errSecItemNotFound)
      #expect(value(query(group("app"))) == "s3cr3t")
    }
  }

  @Test func anOpenItemIsFoundThoughTheItemOfTheFirstGroupIsLocked() throws {
    try onDevice(as: ApplicationIdentity("app", keychainAccessGroups: ["one", "two"])) { device in
      let open: Request = [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]
      #expect(add(password(value: "first", group("one"))) == errSecSuccess)
      #expect(
        add(password(value: "second", group("two").merging(open) { $1 })) == errSecSuccess)
      #expect(value(query()) == "first")
      device.lock()
      // One attribute more changes nothing.
      for more: Request in [[:], [kSecAttrSynchronizable: kSecAttrSynchronizableAny]] {
        #expect(value(query(more)) == "second")
      }
      #expect(find(query(group("one"))).status == errSecInteractionNotAllowed)
    }
  }

  @Test func anItemThatAsksIsSkippedInTheFirstGroup() throws {
    try onDevice(as: ApplicationIdentity("app", keychainAccessGroups: ["one", "two"])) { device in
      let control: Request = [kSecAttrAccessControl: try accessControl(.devicePasscode)]
      #expect(add(password(group("one").merging(control) { $1 })) == errSecSuccess)
      #expect(add(password(value: "second", group("two"))) == errSecSuccess)
      let skip: Request = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
      #expect(value(query(skip)) == "second")
      #expect(device.user.prompts.isEmpty)
    }
  }
}
