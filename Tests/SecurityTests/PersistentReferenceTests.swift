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

  @Test func anyAttributeBesideItIsRefused() throws {
    try onDevice { _ in
      let reference = reference()
      for more: Request in [
        [kSecAttrAccount: "eva"], [kSecAttrSynchronizable: true],
        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
        [kSecAttrAccessGroup: "com.example.app"],
      ] {
        #expect(exists(reference.merging(more) { $1 }) == errSecParam)
        #expect(delete(reference.merging(more) { $1 }) == errSecParam)
        #expect(
          update(reference.merging(more) { $1 }, [kSecAttrLabel: "x"]) == errSecParam)
      }
      #expect(
        value(reference.merging([kSecClass: kSecClassGenericPassword]) { $1 }) == "s3cr3t")
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
}
