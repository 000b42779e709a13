import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

@Suite struct PersistentReferenceTests {
  private func reference(_ more: Request = [:]) -> Request {
    [
      kSecValuePersistentRef: adding(password(more.merging([kSecReturnPersistentRef: true]) { $1 }))
        .result as Any
    ]
  }

  @Test func aReferenceAndAReturnTypeAreEnough() throws {
    try onDevice { _ in
      #expect(value(reference()) == "s3cr3t")
    }
  }

  @Test func aSearchRefusesAnyAttributeBesideIt() throws {
    try onDevice { _ in
      let reference = reference()
      for more: Request in [
        [kSecAttrAccount: "eva"], [kSecAttrSynchronizable: true],
        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
        [kSecAttrAccessGroup: "com.example.app"],
      ] {
        #expect(exists(reference.merging(more) { $1 }) == errSecParam)
      }
      #expect(
        value(reference.merging([kSecClass: kSecClassGenericPassword]) { $1 }) == "s3cr3t")
    }
  }

  @Test(arguments: [false, true])
  func anAttributeBesideItHasToMatchInAChange(isLocked: Bool) throws {
    try onDevice { device in
      let reference = reference([kSecAttrComment: "a"])
      #expect(add(password("other")) == errSecSuccess)
      if isLocked { device.lock() }
      for wrong: Request in [
        [kSecAttrAccount: "other"], [kSecAttrSynchronizable: true], [kSecAttrComment: "b"],
        [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock],
      ] {
        let query = reference.merging(wrong) { $1 }
        #expect(update(query, [kSecAttrLabel: "x"]) == errSecItemNotFound)
        #expect(delete(query) == errSecItemNotFound)
      }
      let right = reference.merging([
        kSecAttrAccount: "eva", kSecAttrAccessGroup: "com.example.app", kSecAttrComment: "a",
        kSecAttrSynchronizable: kSecAttrSynchronizableAny,
      ]) { $1 }
      #expect(
        update(right, [kSecAttrLabel: "x"])
          == (isLocked ? errSecInteractionNotAllowed : errSecSuccess))
      #expect(delete(right) == errSecSuccess)
      #expect(delete(right) == errSecItemNotFound)
      let count1 = try device.keychain().count()
      #expect(count1 == 1)
    }
  }

  @Test func anotherClassIsRefused() throws {
    try onDevice { _ in
      let wrong = reference().merging([kSecClass: kSecClassInternetPassword]) { $1 }
      #expect(exists(wrong) == errSecNoSuchClass)
      #expect(update(wrong, [kSecAttrLabel: "x"]) == errSecNoSuchClass)
      #expect(delete(wrong) == errSecNoSuchClass)
      #expect(exists(query()) == errSecSuccess)
    }
  }

  @Test func anItemOfAnotherGroupIsNotFound() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let foreign = device.run(as: ApplicationIdentity("other")) { reference() }
    device.run(as: ApplicationIdentity("app")) {
      #expect(find(foreign.merging([kSecReturnData: true]) { $1 }).status == errSecItemNotFound)
      #expect(update(foreign, [kSecAttrLabel: "x"]) == errSecItemNotFound)
      #expect(delete(foreign) == errSecItemNotFound)
    }
    device.run(as: ApplicationIdentity("other")) { #expect(value(foreign) == "s3cr3t") }
  }

  @Test func synchronizableItemsAreFoundUnasked() throws {
    try onDevice { _ in
      #expect(value(reference([kSecAttrSynchronizable: true])) == "s3cr3t")
    }
  }

  @Test func whatIsNoReferenceIsRefused() throws {
    try onDevice { _ in
      for wrong: Any in [Data(), Data(count: 25), "text", 5] {
        #expect(exists([kSecValuePersistentRef: wrong]) == errSecParam, "\(wrong)")
      }
    }
  }

  @Test func aDeletedItemIsNotFound() throws {
    try onDevice { _ in
      let reference = reference()
      #expect(delete(reference) == errSecSuccess)
      #expect(exists(reference) == errSecItemNotFound)
      #expect(delete(reference) == errSecItemNotFound)
    }
  }

  @Test func aReferenceOfAnotherDeviceIsNotFound() throws {
    var foreign: Request = [:]
    try onDevice { _ in foreign = reference() }
    try onDevice { _ in #expect(exists(foreign) == errSecItemNotFound) }
  }

  @Test func anItemIsNotAddedByReference() throws {
    try onDevice { _ in
      #expect(add(password("tom").merging(reference()) { $1 }) == errSecParam)
    }
  }

  @Test func aFilterExcludesTheItem() throws {
    try onDevice { _ in
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      let identity = try #require(SecIdentityCreate(nil, leaf, Fixture.key("p256")))
      let item: Request = [kSecValueRef: identity, kSecReturnPersistentRef: true]
      let start = try #require(SecCertificateCopyNotValidBeforeDate(leaf)) as Date
      let added = try #require(adding(item).result)
      let certificate = try #require(
        find([kSecClass: kSecClassCertificate, kSecReturnPersistentRef: true]).result)
      for reference in [added, certificate] {
        let query: Request = [kSecValuePersistentRef: reference]
        #expect(exists(query.merging([kSecMatchValidOnDate: start]) { $1 }) == errSecSuccess)
        for filter: Request in [
          [kSecMatchValidOnDate: start.addingTimeInterval(-1)],
          [kSecMatchEmailAddressIfPresent: "nobody@example.com"],
          [kSecMatchIssuers: [Data([0x30, 0])]],
        ] {
          #expect(exists(query.merging(filter) { $1 }) == errSecItemNotFound)
        }
      }
      #expect(
        exists(reference().merging([kSecMatchHostOrSubdomainOfHost: "example.com"]) { $1 })
          == errSecUnimplemented)
    }
  }

  @Test func aListWithoutResultsIsAnEmptyArray() throws {
    try onDevice { _ in
      let found = find(reference().merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 })
      #expect(found.status == errSecSuccess)
      #expect((found.result as? [Any])?.isEmpty == true)
    }
  }
}
