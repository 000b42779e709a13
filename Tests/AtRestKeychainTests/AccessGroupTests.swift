import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// The items that each application sees.
@Suite struct AccessGroupTests {
  private let identity = ApplicationIdentity(
    "com.example.app", keychainAccessGroups: ["first", "second"],
    applicationGroups: ["group.example"])

  @Test func anItemWithoutAGroupGoesToTheFirstKeychainAccessGroup() throws {
    let keychain = try SimulatedDevice().keychain(as: identity)
    try keychain.put(password())
    #expect(try keychain.item(for: password()).group == "first")
  }

  @Test func withoutKeychainAccessGroupsItGoesToTheApplicationIdentifier() throws {
    let keychain = try SimulatedDevice().keychain(
      as: ApplicationIdentity("com.example.app", applicationGroups: ["group.example"]))
    try keychain.put(password())
    #expect(try keychain.item(for: password()).group == "com.example.app")
  }

  @Test func aSearchCoversEveryGroupOwned() throws {
    let keychain = try SimulatedDevice().keychain(as: identity)
    for group in identity.accessGroups { try keychain.put(password(group, group: group), group) }
    #expect(identity.accessGroups == ["first", "second", "com.example.app", "group.example"])
    #expect(
      Set(try keychain.items(matching: KeychainQuery(.genericPassword)).map(\.group))
        == Set(identity.accessGroups))
    for group in identity.accessGroups {
      #expect(try keychain.text(password(group)) == group)
      try keychain.change(password(group), "new \(group)")
      #expect(try keychain.text(password(group, group: group)) == "new \(group)")
      try keychain.delete(password(group))
    }
    #expect(try keychain.count() == 0)
  }

  /// Reading from one group and deleting from another would leave the item that was read.
  @Test func aKeyWithoutAGroupMeansTheSameItemInEachCall() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain(as: identity)
    try keychain.put(password(group: "first"), "first")
    try keychain.put(password(group: "second"), "second", [:], .accessible(.always))
    device.lock()
    #expect(refusal { try keychain.text(password()) } == .locked)
    #expect(refusal { try keychain.item(for: password()) } == .locked)
    try keychain.delete(password())
    #expect(try keychain.text(password()) == "second")
    try keychain.delete(password())
    #expect(refusal { try keychain.text(password()) } == .notFound)
  }

  @Test func aQueryWithAGroupFindsThatGroupAlone() throws {
    let keychain = try SimulatedDevice().keychain(as: identity)
    for group in identity.accessGroups { try keychain.put(password(group: group), group) }
    let found = try keychain.items(
      matching: KeychainQuery(.genericPassword, group: "second"), secrets: true)
    #expect(found.map(\.text) == ["second"])
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword, group: "second")) == 1)
    #expect(try keychain.count() == 3)
  }

  @Test func twoSpellingsOfOneTextAreTwoGroups() throws {
    let composed = "caf\u{e9}"
    let decomposed = "cafe\u{301}"
    let device = try SimulatedDevice()
    let keychain = try device.keychain(
      as: ApplicationIdentity("com.example.app", keychainAccessGroups: [composed, decomposed]))
    try keychain.put(password(group: composed), "composed")
    try keychain.update(password(group: composed), ItemChange(group: decomposed))
    #expect(refusal { try keychain.text(password(group: composed)) } == .notFound)
    #expect(try keychain.text(password(group: decomposed)) == "composed")
    // Whoever has one of them does not have the other.
    let one = try device.keychain(
      as: ApplicationIdentity("com.example.app", keychainAccessGroups: [composed]))
    #expect(refusal { try one.text(password(group: decomposed)) } == .missingEntitlement)
    // A second item can therefore be stored under the first spelling, and a list distinguishes
    // them.
    try keychain.put(password(group: composed), "second")
    let found = try keychain.items(
      matching: KeychainQuery(.genericPassword, group: composed), secrets: true)
    #expect(found.map(\.text) == ["second"])
  }

  @Test func aForeignGroupIsRefusedByEveryCallAndNamed() throws {
    let device = try SimulatedDevice()
    let owner = try device.keychain(as: ApplicationIdentity("owner"))
    try owner.put(password(), "hers")
    let keychain = try device.keychain(as: identity)
    let foreign = password(group: "owner")
    let query = KeychainQuery(.genericPassword, group: "owner")
    let calls: [() throws -> Void] = [
      { try keychain.put(foreign) },
      { try keychain.addWithoutSecret(foreign) },
      { try keychain.set(foreign, secret: SecretBytes(utf8: "")) },
      { _ = try keychain.text(foreign) },
      { _ = try keychain.item(for: foreign) },
      { _ = try keychain.items(matching: query) },
      { try keychain.change(foreign, "") },
      { try keychain.update(foreign, ItemChange()) },
      { try keychain.update(matching: query, ItemChange()) },
      { try keychain.delete(foreign) },
      { _ = try keychain.delete(matching: query) },
      { _ = try keychain.getOrCreate(foreign) { SecretBytes(utf8: "") }.count },
    ]
    for call in calls {
      let error = try #require(thrown(call))
      #expect(error.code == .missingEntitlement)
      #expect(error.refusal == .notPermitted)
      // The message names the missing group and the existing ones.
      #expect(error.message.contains("owner") && error.message.contains("second"))
    }
    #expect(try owner.text(password()) == "hers")
    // The answer is the same if no such item exists, so the caller cannot learn whether it does.
    #expect(refusal { try keychain.text(password("x", group: "owner")) } == .missingEntitlement)
  }

  @Test func aForeignItemReachedImplicitlyIsNotFound() throws {
    let device = try SimulatedDevice()
    let owner = try device.keychain(as: ApplicationIdentity("owner"))
    let reference = try owner.put(password(), "hers")
    let keychain = try device.keychain(as: identity)
    #expect(refusal { try keychain.text(password()) } == .notFound)
    #expect(refusal { try keychain.item(for: password()).group } == .notFound)
    #expect(refusal { try keychain.change(password(), "") } == .notFound)
    #expect(refusal { try keychain.delete(password()) } == .notFound)
    #expect(refusal { try keychain.text(reference) } == .notFound)
    #expect(refusal { try keychain.item(for: reference).group } == .notFound)
    #expect(refusal { try keychain.delete(reference) } == .notFound)
    #expect(try keychain.items(matching: KeychainQuery(.genericPassword)).isEmpty)
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword)) == 0)
    // An item that the application does not see is not a duplicate.
    try keychain.put(password(), "his")
    #expect(try owner.text(password()) == "hers")
    #expect(try keychain.text(password()) == "his")
  }

  @Test func anItemDoesNotMoveToAForeignGroup() throws {
    let keychain = try SimulatedDevice().keychain(as: identity)
    try keychain.put(password())
    #expect(
      refusal { try keychain.update(password(), ItemChange(group: "owner")) }
        == .missingEntitlement)
    #expect(
      refusal { try keychain.move(password(), to: password(group: "owner")) }
        == .missingEntitlement)
    #expect(try keychain.item(for: password()).group == "first")
  }

  @Test func aSharedGroupIsSeenByBoth() throws {
    let device = try SimulatedDevice()
    let one = try device.keychain(
      as: ApplicationIdentity("one", keychainAccessGroups: ["shared"]))
    let two = try device.keychain(
      as: ApplicationIdentity("two", applicationGroups: ["shared"]))
    try one.put(password())
    #expect(try two.text(password()) == "s3cr3t")
    // An application group is never the default group.
    try two.put(password("adam"))
    #expect(refusal { try one.text(password("adam")) } == .notFound)
  }

  @Test func theOwnerOfTheStoreSeesEveryGroup() throws {
    let device = try SimulatedDevice()
    for name in ["one", "two"] {
      try device.keychain(as: ApplicationIdentity(name)).put(password(name), name)
    }
    let owner = try device.keychain(as: .owner())
    #expect(
      Set(try owner.items(matching: KeychainQuery(.genericPassword)).map(\.group)) == [
        "one", "two",
      ])
    #expect(try owner.text(password("one")) == "one")
    #expect(try owner.text(password("two", group: "two")) == "two")
    try owner.put(password("one", group: "two"), "another")
    #expect(refusal { try owner.text(password("one")) } == .invalidArgument)
  }
}
