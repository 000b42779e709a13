import Foundation
import Security
import Testing

/// Tests requests that are not valid for any call.
@Suite struct StatusTests {
  private let calls: [(String, (Request) -> OSStatus)] = [
    ("SecItemAdd", add), ("SecItemCopyMatching", exists), ("SecItemDelete", delete),
    ("SecItemUpdate", { update($0, [kSecAttrLabel: "new"]) }),
  ]

  private func expect(_ status: OSStatus, _ request: Request) throws {
    try onDevice { _ in
      for (name, call) in calls {
        #expect(call(request) == status, "\(name) of \(request)")
      }
    }
  }

  @Test func anUnknownAttributeIsNamed() throws {
    try expect(errSecNoSuchAttr, query(["zzzz" as NSString: "x"]))
  }

  @Test func anAttributeOfAnotherClassIsNamed() throws {
    try expect(errSecNoSuchAttr, query([kSecAttrServer: "a.example"]))
  }

  @Test(arguments: ["zzzzz", "z", "r_Nothing", "u_Nothing", "v_Nothing", "cNothing", "x_y"])
  func otherKeysAreParameterErrors(key: String) throws {
    try expect(errSecParam, query([key as NSString: true]))
  }

  @Test func aClassIsNeeded() throws {
    try expect(errSecParam, [kSecAttrAccount: "eva"])
    try expect(errSecParam, [kSecClass: 5, kSecAttrAccount: "eva"])
    try expect(errSecParam, [:])
  }

  @Test func anUnknownClassIsNamed() throws {
    try expect(errSecNoSuchClass, [kSecClass: "abcd"])
  }

  @Test func accessControlMustBeOne() throws {
    try expect(errSecParam, query([kSecAttrAccessControl: "ak"]))
  }

  @Test func accessibilityMustBeOne() throws {
    try expect(errSecParam, query([kSecAttrAccessible: "xx"]))
    try expect(errSecParam, query([kSecAttrAccessible: 5]))
  }

  @Test func bothAreTooManyToSetAndFindWhatHasThem() throws {
    try onDevice { _ in
      let both: Request = [
        kSecAttrAccessControl: try accessControl(.userPresence),
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
      ]
      #expect(add(password(both)) == errSecParam)
      _ = add(password([kSecAttrAccessControl: try accessControl(.userPresence)]))
      #expect(update(query(), both) == errSecParam)
      #expect(value(query(both)) == "s3cr3t")
    }
  }

  @Test func accessibilityThatContradictsAccessControlIsRefused() throws {
    let control = try accessControl(.userPresence, kSecAttrAccessibleWhenUnlocked)
    try expect(
      errSecParam,
      query([kSecAttrAccessControl: control, kSecAttrAccessible: kSecAttrAccessibleAlways]))
    // Control: an access control without constraints means the same as its accessibility.
    let nobody = try accessControl([], kSecAttrAccessibleWhenUnlocked)
    let same: Request = [
      kSecAttrAccessControl: nobody, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
    ]
    try onDevice { _ in
      #expect(add(password(same)) == errSecSuccess)
      #expect(exists(query(same)) == errSecSuccess)
    }
  }

  @Test func aValueMustBeData() throws {
    try expect(errSecParam, query([kSecValueData: "text"]))
    try expect(errSecParam, query([kSecValueData: NSNull()]))
  }

  @Test func skippingIsForFindingAlone() throws {
    try onDevice { _ in
      let skip = query([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
      #expect(exists(skip) == errSecItemNotFound)
      #expect(add(skip) == errSecParam)
      #expect(update(skip, [kSecAttrLabel: "x"]) == errSecParam)
      #expect(delete(skip) == errSecParam)
    }
  }

  @Test func returnTypesMustBeBooleans() throws {
    try expect(errSecParam, query([kSecReturnData: "true"]))
    try expect(errSecParam, query([kSecReturnData: 1]))
  }

  /// Helpers that only check whether an item exists pass no place for the result.
  @Test func withoutAPlaceForTheResultTheStatusIsTheSame() throws {
    try onDevice { device in
      for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
        #expect(exists(query([key: true])) == errSecItemNotFound)
      }
      #expect(add(password([kSecReturnData: true])) == errSecSuccess)
      for key in [kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef] {
        #expect(exists(query([key: true])) == errSecSuccess)
      }
      device.lock()
      #expect(exists(query([kSecReturnData: true])) == errSecInteractionNotAllowed)
    }
  }

  @Test func theDataProtectionKeychainIsTheOnlyOne() throws {
    try onDevice { _ in
      let use: Request = [kSecUseDataProtectionKeychain: true]
      #expect(add(password(use)) == errSecSuccess)
      #expect(exists(query()) == errSecSuccess)
      #expect(update(query(use), [kSecAttrLabel: "x"]) == errSecSuccess)
      #expect(delete(query(use)) == errSecSuccess)
    }
  }

  @Test func aFailureLeavesTheResultAlone() throws {
    try onDevice { _ in
      var result: CFTypeRef? = "before" as NSString
      SecItemCopyMatching(query([kSecReturnData: true]) as CFDictionary, &result)
      #expect(result as? String == "before")
    }
  }
}
