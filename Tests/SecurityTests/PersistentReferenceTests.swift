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
      }
      #expect(
        value(reference.merging([kSecClass: kSecClassGenericPassword]) { $1 }) == "s3cr3t")
    }
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
