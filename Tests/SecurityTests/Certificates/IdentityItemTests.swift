import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests identities in the keychain. An identity is a certificate with its key.
@Suite struct IdentityItemTests {
  private let query: Request = [kSecClass: kSecClassIdentity]
  private let keys: Request = [kSecClass: kSecClassKey]
  private let certificates: Request = [kSecClass: kSecClassCertificate]

  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, try Fixture.data("\(name).cer") as CFData))
  }

  private func identity(_ name: String = "leaf", _ key: String = "p256") throws -> SecIdentity {
    try #require(SecIdentityCreate(nil, try certificate(name), try Fixture.key(key)))
  }

  private func item(_ identity: SecIdentity, _ more: Request = [:]) -> Request {
    query.merging([kSecValueRef: identity]) { $1 }.merging(more) { $1 }
  }

  @Test func bothHalvesAreAddedAndComeBack() throws {
    try onDevice { _ in
      let identity = try identity()
      #expect(add(item(identity)) == errSecSuccess)
      #expect(find(query.merging([kSecReturnRef: true]) { $1 }).result as? SecIdentity == identity)
      #expect(exists(keys) == errSecSuccess && exists(certificates) == errSecSuccess)
      #expect(add(item(identity)) == errSecDuplicateItem)
    }
  }

  @Test func aMissingHalfIsFilledIn() throws {
    for half in [keys, certificates] {
      try onDevice { _ in
        let identity = try identity()
        _ = add(item(identity))
        #expect(delete(half) == errSecSuccess)
        #expect(exists(query) == errSecItemNotFound)
        #expect(add(item(identity)) == errSecSuccess)
        #expect(exists(query) == errSecSuccess)
      }
    }
  }

  @Test func deletingOneKeepsAKeyThatAnotherCertificateUses() throws {
    try onDevice { _ in
      let first = try identity("mail", "rsa2048")
      let second = try identity("names", "rsa2048")
      #expect(add(item(first)) == errSecSuccess)
      #expect(add(item(second)) == errSecSuccess)
      #expect(delete(item(first)) == errSecSuccess)
      #expect(find(query.merging([kSecReturnRef: true]) { $1 }).result as? SecIdentity == second)
      #expect(delete(item(second)) == errSecSuccess)
      #expect(exists(keys) == errSecItemNotFound)
    }
  }

  @Test func halvesOfTwoGroupsAreNoIdentity() throws {
    let owner = ApplicationIdentity("app", keychainAccessGroups: ["one", "two"])
    try onDevice(as: owner) { _ in
      let identity = try identity()
      #expect(add(item(identity, [kSecAttrAccessGroup: "one"])) == errSecSuccess)
      #expect(
        add(item(identity, [kSecAttrAccessGroup: "two", kSecReturnAttributes: true]))
          == errSecSuccess)
      #expect(delete(keys.merging([kSecAttrAccessGroup: "one"]) { $1 }) == errSecSuccess)
      let found = attributes(query)
      #expect(found?[kSecAttrAccessGroup as String] as? String == "two")
      #expect(
        exists(query.merging([kSecAttrAccessGroup: "one"]) { $1 }) == errSecItemNotFound)
    }
  }

  @Test func whatComesBackIsOfTheGroupThatItWasAddedTo() throws {
    let owner = ApplicationIdentity("app", keychainAccessGroups: ["one", "two"])
    try onDevice(as: owner) { _ in
      let identity = try identity()
      _ = add(item(identity, [kSecAttrAccessGroup: "two"]))
      let added = adding(item(identity, [kSecReturnAttributes: true])).result as? [String: Any]
      #expect(added?[kSecAttrAccessGroup as String] as? String == "one")
    }
  }

  @Test func theKeyOfOneIsLockedWithItsClass() throws {
    try onDevice { device in
      _ = add(
        item(try identity(), [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]))
      device.lock()
      #expect(exists(query) == errSecInteractionNotAllowed)
    }
  }

  @Test func objectsAreEqualByContent() throws {
    #expect(try identity() == identity())
    #expect(try identity().hash == identity().hash)
    #expect(try identity("mail", "rsa2048") != identity("names", "rsa2048"))
    #expect(try Fixture.key("p256") == Fixture.key("p256"))
    #expect(try Fixture.key("p256") != Fixture.publicKey("p256"))
    #expect(try Set([Fixture.key("p256"), Fixture.key("p256")]).count == 1)
  }

  @Test(arguments: [false, true])
  func aLockedIdentityIsNeitherMissingNorLeftOut(besideOpenIdentity: Bool) throws {
    try onDevice { device in
      let open = [kSecAttrAccessible: kSecAttrAccessibleAlways] as Request
      let locked = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked] as Request
      let root: Request = [kSecClass: kSecClassCertificate, kSecValueRef: try certificate("root")]
      #expect(add(root.merging(open) { $1 }) == errSecSuccess)
      let other = try identity("mail", "rsa2048")
      if besideOpenIdentity { #expect(add(item(other, open)) == errSecSuccess) }
      #expect(add(item(try identity(), locked)) == errSecSuccess)
      let all = query.merging([kSecMatchLimit: kSecMatchLimitAll, kSecReturnRef: true]) { $1 }
      device.lock()
      #expect(find(all).status == errSecInteractionNotAllowed)
      #expect(exists(query) == (besideOpenIdentity ? errSecSuccess : errSecInteractionNotAllowed))
      #expect(update(query, [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
      #expect(delete(query) == errSecInteractionNotAllowed)
      // Control: nothing was deleted, and an unlocked device finds all of them.
      try device.unlock()
      #expect((find(all).result as? [SecIdentity])?.count == (besideOpenIdentity ? 2 : 1))
      #expect(delete(query) == errSecSuccess)
      #expect(exists(query) == errSecItemNotFound)
    }
  }

  @Test func anOpenIdentityIsFoundBesideOneWithALockedKey() throws {
    try onDevice { device in
      #expect(add(item(try identity())) == errSecSuccess)
      let open = try identity("mail", "rsa2048")
      #expect(
        add(item(open, [kSecAttrAccessible: kSecAttrAccessibleAlways])) == errSecSuccess)
      device.lock()
      #expect(find(query.merging([kSecReturnRef: true]) { $1 }).result as? SecIdentity == open)
    }
  }
}
