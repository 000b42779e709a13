import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests that a locked item withholds nothing from a call that is about another item.
@Suite struct LockedNeighbourTests {
  private let unlockedOnce: Request = [
    kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock
  ]

  private func token(_ account: String, _ more: Request = [:]) -> Request {
    password(account, service: "api", more)
  }

  private func login(_ account: String, _ more: Request = [:]) -> Request {
    [
      kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com",
      kSecAttrAccount: account,
    ].merging(more) { $1 }
  }

  private let results: [CFString?] = [
    nil, kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef,
  ]
  private let limits: [Any?] = [nil, kSecMatchLimitOne, kSecMatchLimitAll, 1, 3]

  /// Returns the status of a search in every form.
  private func statuses(_ query: Request) -> Set<OSStatus> {
    var seen: Set<OSStatus> = []
    for result in results {
      for limit in limits {
        var request = query
        if let result { request[result] = true }
        if let limit { request[kSecMatchLimit] = limit }
        seen.insert(find(request).status)
      }
    }
    return seen
  }

  @Test func anOpenItemBesideALockedOneIsFoundAndChanged() throws {
    try onDevice { device in
      let secret: Request = [kSecValueData: Data("s3cr3t".utf8)]
      for item in [token, login] {
        #expect(add(item("locked", secret)) == errSecSuccess)
        #expect(add(item("open", secret.merging(unlockedOnce) { $1 })) == errSecSuccess)
      }
      device.lock()
      for item in [token, login] {
        var query = item("open", [:])
        query[kSecValueData] = nil
        #expect(statuses(query) == [errSecSuccess])
        #expect(update(query, [kSecValueData: Data("new".utf8)]) == errSecSuccess)
        #expect(value(query) == "new")
        #expect(update(query, [kSecAttrLabel: "label"]) == errSecSuccess)
        #expect(delete(query) == errSecSuccess)
        #expect(statuses(query) == [errSecItemNotFound])
        // Negative control: the locked item itself.
        var locked = item("locked", [:])
        locked[kSecValueData] = nil
        #expect(statuses(locked) == [errSecInteractionNotAllowed])
        #expect(update(locked, [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
      }
    }
  }

  /// The dates of locked items cannot be computed from the index, so they are not known.
  @Test func theDateOfALockedItemIsNotKnown() throws {
    try onDevice { device in
      _ = add(token("locked"))
      let past = Date(timeIntervalSince1970: 0)
      let ofPast: Request = [kSecClass: kSecClassGenericPassword, kSecAttrCreationDate: past]
      #expect(exists(ofPast) == errSecItemNotFound)
      device.lock()
      #expect(exists(ofPast) == errSecInteractionNotAllowed)
      #expect(delete(ofPast) == errSecInteractionNotAllowed)
      // Another attribute shows that the item does not match.
      let other = ofPast.merging([kSecAttrService: "other"]) { $1 }
      #expect(exists(other) == errSecItemNotFound)
      #expect(delete(other) == errSecItemNotFound)
    }
  }

  @Test func anOpenItemIsFoundByTheServiceAlone() throws {
    try onDevice { device in
      _ = add(token("locked"))
      _ = add(token("open", unlockedOnce))
      device.lock()
      let query: Request = [kSecClass: kSecClassGenericPassword, kSecAttrService: "api"]
      #expect(find(query.merging([kSecReturnData: true]) { $1 }).status == errSecSuccess)
      #expect(exists(query.merging([kSecMatchLimit: 1]) { $1 }) == errSecSuccess)
      // More items would be returned if they were not locked.
      #expect(exists(query.merging([kSecMatchLimit: 2]) { $1 }) == errSecInteractionNotAllowed)
      #expect(update(query, [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
    }
  }

  @Test func anAbsentItemIsNotFoundBesideALockedOne() throws {
    try onDevice { device in
      _ = add(
        token(
          "eva",
          [
            kSecAttrLabel: "label", kSecAttrComment: "comment", kSecAttrCreator: 5,
            kSecAttrGeneric: Data([1]), kSecAttrDescription: "text", kSecAttrType: 7,
            kSecAttrIsInvisible: false,
          ]))
      _ = add(login("eva", [kSecAttrPort: 443, kSecValueData: Data()]))
      device.lock()
      let service: Request = [kSecClass: kSecClassGenericPassword, kSecAttrService: "api"]
      let pairs: [(CFString, Any, Any)] = [
        (kSecAttrLabel, "other", "label"), (kSecAttrComment, "other", "comment"),
        (kSecAttrCreator, 6, 5), (kSecAttrGeneric, Data([2]), Data([1])),
        (kSecAttrDescription, "", "text"), (kSecAttrType, 0, 7),
        (kSecAttrIsInvisible, true, false), (kSecAttrAccount, "adam", "eva"),
      ]
      for (key, absent, present) in pairs {
        for query in [service, [kSecClass: kSecClassGenericPassword]] {
          let other = query.merging([key: absent]) { $1 }
          #expect(statuses(other) == [errSecItemNotFound], "\(key)")
          #expect(update(other, [kSecAttrLabel: "x"]) == errSecItemNotFound)
          #expect(delete(other) == errSecItemNotFound)
          let same = query.merging([key: present]) { $1 }
          #expect(statuses(same) == [errSecInteractionNotAllowed], "\(key)")
        }
      }
      for port in [0, 80] {
        #expect(statuses(login("eva", [kSecAttrPort: port])) == [errSecItemNotFound])
      }
      #expect(statuses(login("eva", [kSecAttrPath: "/"])) == [errSecItemNotFound])
      #expect(
        statuses(login("eva", [kSecAttrPath: ""])) == [errSecInteractionNotAllowed])
      // What matches is deleted, even while it is locked.
      #expect(delete(service.merging([kSecAttrComment: "comment"]) { $1 }) == errSecSuccess)
      #expect(exists(service) == errSecItemNotFound)
    }
  }

  @Test func anAttributeThatChangedWhileUnlockedDecides() throws {
    try onDevice { device in
      _ = add(token("eva", [kSecAttrComment: "old"]))
      let service: Request = [kSecClass: kSecClassGenericPassword, kSecAttrService: "api"]
      #expect(update(service, [kSecAttrComment: "new"]) == errSecSuccess)
      device.lock()
      #expect(
        statuses(service.merging([kSecAttrComment: "old"]) { $1 }) == [errSecItemNotFound])
      #expect(
        statuses(service.merging([kSecAttrComment: "new"]) { $1 })
          == [errSecInteractionNotAllowed])
    }
  }
}
