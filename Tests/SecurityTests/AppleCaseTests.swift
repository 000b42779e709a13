import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Compares single forms of a call with Apple's sources, whose file and line (Security-61901) each row
/// names.
///
/// Where this module deliberately answers differently, the row has its status, and `docs/Porting.md` the
/// reason.
@Suite struct AppleCaseTests {
  enum Call: String { case add, copy, update, delete }

  /// A key and a value in the dictionary of a call, or in the changes of an update.
  struct Case {
    let calls: [Call]
    let key: Any
    let value: Any
    let status: OSStatus
    let evidence: String

    init(_ calls: [Call], _ key: Any, _ value: Any, _ status: OSStatus, _ evidence: String) {
      (self.calls, self.key, self.value) = (calls, key, value)
      (self.status, self.evidence) = (status, evidence)
    }
  }

  private static let all: [Call] = [.add, .copy, .update, .delete]

  /// Keys that a call with a generic password may contain or not.
  private static func cases() throws -> [Case] {
    let control = try accessControl(.userPresence)
    let ignored = errSecSuccess
    return [
      Case(all, "class", 5, errSecParam, "SecDbQuery.c:589; SecDbQuery.c:605"),
      Case(all, "class", "apls", errSecNoSuchClass, "SecDbQuery.c:603"),
      Case(all, "xxxx", "a", errSecNoSuchAttr, "SecItemDb.c:86"),
      Case(all, "srvr", "a", errSecNoSuchAttr, "SecItemDb.c:86"),
      Case(all, "clip", "a", errSecParam, "SecItemServer.c:2481-2483"),
      Case(all, "unknown", "a", errSecParam, "SecDbQuery.c:912; SecDbQuery.c:916"),
      Case(all, "cUnknown", "a", errSecParam, "SecDbQuery.c:619"),
      Case(all, "r_Unknown", true, errSecParam, "SecDbQuery.c:646"),
      Case(all, "u_Unknown", "a", errSecParam, "SecDbQuery.c:747"),
      Case(all, "v_Unknown", "a", errSecParam, "SecDbQuery.c:810"),
      Case(all, "fUnknown", "a", ignored, "SecDbQuery.c:909-910"),
      Case(all, 5, "a", errSecNoSuchAttr, "SecDbQuery.c:918-921; SecItemDb.c:86"),
      Case(all, NSNull(), "a", errSecParam, "SecDbQuery.c:924"),
      Case(all, "accc", "a", errSecParam, "SecItem.m:1654-1655; KeychainAPITests.m:173"),
      Case(all, "accc", NSNull(), errSecParam, "SecItem.m:1655"),
      Case(all, "v_Data", "a", errSecParam, "SecDbQuery.c:753-754"),
      Case(all, "v_Data", NSNull(), errSecParam, "SecDbQuery.c:753-754"),
      Case(all, "pdmn", "none", errSecParam, "SecAccessControl.m:287"),
      Case(all, "r_Data", 1, errSecParam, "SecDbQuery.c:630-631"),
      Case(all, "r_Attributes", "true", errSecParam, "SecDbQuery.c:630-631"),
      Case(all, "r_Ref", NSNull(), errSecParam, "SecDbQuery.c:630-631"),
      Case(all, "r_Data", false, ignored, "SecDbQuery.c:635"),
      Case(all, "u_Keychain", "a", errSecParam, "SecDbQuery.c:747"),
      Case(all, "nleg", true, ignored, "SecItemDb.c:81-82"),
      Case(all, "nleg", "a", ignored, "SecItemDb.c:81-82"),
      Case(all, "u_OpPrompt", "a", ignored, "SecItem.m:1580-1583"),
      Case(all, "u_OpPrompt", 5, ignored, "SecItem.m:1580-1583"),
      Case(all, "v_Ref", "a", errSecParam, "SecItem.m:1380-1381"),
      Case(all, "labl", URL(fileURLWithPath: "/"), errSecParam, "der_plist.c:129; SecItem.m:195"),
      Case(all, "labl", UUID(), errSecParam, "der_plist.c:129; SecItem.m:195-196"),
      Case(all, "labl", 1.5, errSecDecode, "der_number.c:117-118; SecItem.m:191-194"),
      Case(all, "crtr", Double.nan, errSecDecode, "der_number.c:117-118; SecItem.m:191-194"),
      Case(
        all, "agrp", "other", errSecMissingEntitlement, "SecItemServer.c:2597; 2717; 3146; 3256"),
      Case([.add, .update, .delete], "u_AuthUI", "u_AuthUIS", errSecParam, "SecItem.m:1680"),
      Case([.copy], "u_AuthUI", "u_AuthUIS", ignored, "SecItem.m:1600"),
      Case(all, "u_AuthUI", true, ignored, "SecItem.m:1597-1606"),
      Case(all, "u_NoAuthUI", true, ignored, "SecItem.m:1595-1596"),
      // A limit is no part of an addition or an update. By Apple's lines, an addition stores nothing and
      // returns 0.
      Case([.add, .update], "m_Limit", "m_LimitOne", errSecParam, "SecItemDb.c:292; 1298"),
      Case([.add, .update], "m_Limit", "m_LimitAll", errSecParam, "SecItemDb.c:292; 1298"),
      Case([.delete], "m_Limit", "m_LimitOne", errSecParam, "SecItemServer.c:3292-3293"),
      Case([.delete], "m_Limit", 1, errSecParam, "SecItemServer.c:3292-3293"),
      Case([.delete], "m_Limit", "m_LimitAll", errSecSuccess, "SecItem.cpp:5150; SecItem.cpp:4713"),
      Case([.update, .delete], "m_Issuers", [Data()], errSecParam, "SecItemServer.c:3294"),
      Case([.copy], "m_Issuers", [Data([1])], errSecUnimplemented, "SecItemServer.c:2640-2642"),
      Case([.copy], "m_Limit", true, errSecParam, "SecDbQuery.c:486"),
      Case([.copy], "m_Limit", "three", errSecParam, "SecDbQuery.c:486"),
      Case([.copy], "m_Limit", NSNull(), errSecParam, "SecDbQuery.c:486"),
      Case([.copy], "m_Limit", 0, errSecItemNotFound, "SecItemDb.c:842; SecItemDb.c:1098"),
      Case([.copy], "m_Limit", -1, errSecSuccess, "SecDbQuery.c:479; SecItemDb.c:841"),
      Case([.copy], "m_TrustedOnly", 1, errSecParam, "SecDbQuery.c:549"),
      Case([.copy], "m_ValidOnDate", "now", errSecParam, "SecDbQuery.c:542"),
      Case([.copy], "m_Policy", "x", errSecParam, "SecItem.m:1429-1430"),
      Case([.update], "r_Data", true, errSecParam, "SecItemServer.c:3192-3200"),
      Case([.delete], "r_Data", true, errSecSuccess, "SecItemServer.c:3292-3303"),
      Case([.copy, .update], "u_ItemList", [Any](), errSecParam, "SecItemServer.c:2639; 3190"),
      Case(
        [.copy, .update, .delete], "v_PersistentRef", Data([1]), errSecParam, "SecDbQuery.c:808"),
      Case([.add], "sync", kSecAttrSynchronizableAny, errSecSuccess, "SecDbQuery.c:283-284"),
      Case([.add], "accc", control, errSecSuccess, "SecDbKeychainItemV7.m:661-665"),
    ]
  }

  private func dictionary(_ base: Request, _ row: Case) -> CFDictionary {
    let all = NSMutableDictionary(dictionary: [:])
    for (key, value) in base { all[key] = value }
    if let key = row.key as? String { all[key as NSString] = row.value }
    if let key = row.key as? NSObject, !(row.key is String) { all[key] = row.value }
    return all
  }

  @Test func everyKeyIsAnsweredAsInApplesSources() throws {
    for row in try Self.cases() {
      for call in row.calls {
        try onDevice { _ in
          if call != .add { #expect(add(password()) == errSecSuccess) }
          let query = dictionary(call == .add ? password() : query(), row)
          let status =
            switch call {
            case .add: SecItemAdd(query, nil)
            case .copy: SecItemCopyMatching(query, nil)
            case .update: SecItemUpdate(query, [kSecAttrLabel: "x"] as CFDictionary)
            case .delete: SecItemDelete(query)
            }
          #expect(status == row.status, "\(call) \(row.key) \(row.value): \(row.evidence)")
        }
      }
    }
  }

  /// Keys in the changes of an update.
  private static func changes() throws -> [Case] {
    [
      Case([], "class", "genp", errSecNoSuchAttr, "SecDbQuery.c:845-847; SecItemDb.c:86"),
      Case([], "r_Data", true, errSecNoSuchAttr, "SecDbQuery.c:845-847; SecItemDb.c:86"),
      Case([], "m_Limit", "m_LimitAll", errSecNoSuchAttr, "SecDbQuery.c:845-847"),
      Case([], "u_AuthUI", "u_AuthUIA", errSecNoSuchAttr, "SecDbQuery.c:845-847"),
      Case([], "u_AuthCtx", LAContext(), errSecNoSuchAttr, "SecItem.m:1423-1424; SecItem.m:1673"),
      Case(
        [], "v_Ref", try Fixture.key("p256"), errSecNoSuchAttr, "SecItem.m:1673; SecItem.m:1392"),
      Case([], "unknown", "a", errSecNoSuchAttr, "SecDbQuery.c:845-847; SecItemDb.c:86"),
      Case([], "srvr", "a", errSecNoSuchAttr, "SecItemDb.c:86"),
      Case([], NSNull(), "a", errSecParam, "SecDbQuery.c:828-829"),
      Case([], "labl", NSNull(), errSecParam, "SecDbQuery.c:323-324; SecDbItem.c:117-118"),
      Case([], "acct", NSNull(), errSecParam, "SecDbQuery.c:323-324; SecDbItem.c:117-118"),
      Case([], "v_Data", NSNull(), errSecParam, "SecDbQuery.c:753-754; si-11-update-data.c:60"),
      Case([], "v_Data", "a", errSecParam, "SecDbQuery.c:753-754; si-11-update-data.c:60"),
      Case([], "sync", kSecAttrSynchronizableAny, errSecSuccess, "SecDbQuery.c:283-284"),
      Case([], "nleg", "a", errSecSuccess, "SecItemDb.c:81-82"),
      Case([], "cdat", Date(timeIntervalSince1970: 0), errSecSuccess, "SecDbItem.c:1174-1176"),
      Case([], "agrp", "other", errSecMissingEntitlement, "SecItemServer.c:3209-3211"),
      Case([], "acct", "other", errSecDuplicateItem, "SecDbItem.c:1984; si-10-find-internet.c:94"),
    ]
  }

  @Test func everyChangeIsAnsweredAsInApplesSources() throws {
    for row in try Self.changes() {
      try onDevice { _ in
        #expect(add(password()) == errSecSuccess)
        #expect(add(password("other")) == errSecSuccess)
        let status = SecItemUpdate(query() as CFDictionary, dictionary([:], row))
        #expect(status == row.status, "\(row.key) \(row.value): \(row.evidence)")
        // A refusal changes nothing.
        #expect(value(query()) == "s3cr3t")
      }
    }
  }

  /// SecItemServer.c:3209-3211: the group of the changes is checked before the search.
  @Test func aForeignGroupIsRefusedEvenIfNothingMatches() throws {
    try onDevice { _ in
      #expect(update(query(), [kSecAttrAccessGroup: "other"]) == errSecMissingEntitlement)
      #expect(update(query(), [kSecAttrLabel: "x"]) == errSecItemNotFound)
    }
  }

  /// SecDbItem.c:1984; SecItemDb.c:1382-1383: two items into one primary key.
  @Test func twoItemsDoNotBecomeOne() throws {
    try onDevice { _ in
      #expect(add(password("a")) == errSecSuccess)
      #expect(add(password("b")) == errSecSuccess)
      let both: Request = [kSecClass: kSecClassGenericPassword, kSecAttrService: "mail"]
      #expect(update(both, [kSecAttrAccount: "c"]) == errSecDuplicateItem)
      #expect(exists(query("a")) == errSecSuccess && exists(query("b")) == errSecSuccess)
    }
  }

  /// SecItemDb.c:236-283, si-05-add.c:197-240: the results of an addition.
  @Test func anAdditionReturnsWhatItIsAskedFor() throws {
    try onDevice { _ in
      func result(_ account: String, _ keys: CFString...) -> CFTypeRef? {
        var item = password(account)
        for key in keys { item[key] = true }
        return adding(item).result
      }
      #expect(result("a") == nil)
      #expect(result("b", kSecReturnData) as? Data == Data("s3cr3t".utf8))
      #expect((result("c", kSecReturnAttributes) as? [String: Any])?["acct"] as? String == "c")
      #expect(result("d", kSecReturnRef) == nil)
      #expect(result("e", kSecReturnPersistentRef) is Data)
      let both = result("f", kSecReturnData, kSecReturnPersistentRef) as? [String: Any]
      #expect(both?["v_Data"] != nil && both?["v_PersistentRef"] != nil)
    }
  }

  /// SecItem.m:503-556; SecItemSchema.c:1870: identities.
  @Test func anIdentityIsAddedOnce() throws {
    try onDevice { device in
      let leaf = try #require(
        SecCertificateCreateWithData(nil, Fixture.data("leaf.cer") as CFData))
      let identity = try #require(SecIdentityCreate(nil, leaf, Fixture.key("p256")))
      #expect(add([kSecValueRef: identity]) == errSecSuccess)
      let count1 = try device.keychain().count()
      #expect(count1 == 2)
      #expect(add([kSecValueRef: identity]) == errSecDuplicateItem)
      // Apple: -25291.
      #expect(add([kSecClass: kSecClassIdentity, kSecAttrLabel: "x"]) == errSecParam)
      #expect(delete([kSecValueRef: identity]) == errSecSuccess)
      let count2 = try device.keychain().count()
      #expect(count2 == 0)
    }
  }
}
