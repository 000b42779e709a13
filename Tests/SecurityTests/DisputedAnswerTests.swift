import AtRestSimulation
import Foundation
import Security
import Testing

/// Cases about which descriptions of Keychain Services disagree, with file and line of Apple's sources
/// (Security-61901). `docs/Porting.md` has the table.
@Suite struct DisputedAnswerTests {
  /// SecDbQuery.c:845-848; SecItemDb.c:86.
  @Test func aPersistentReferenceIsNoAttributeOfAnUpdate() throws {
    try onDevice { _ in
      #expect(add(password()) == errSecSuccess)
      let reference = try #require(find(query([kSecReturnPersistentRef: true])).result)
      for value: Any in [reference, Data([1]), "text", NSNull()] {
        #expect(update(query(), [kSecValuePersistentRef: value]) == errSecNoSuchAttr)
        let both: Request = [kSecValuePersistentRef: value, kSecValueData: Data("other".utf8)]
        #expect(update(query(), both) == errSecNoSuchAttr)
      }
      #expect(value(query()) == "s3cr3t")
    }
  }

  /// SecItem.m:1597-1606: whatever is not one of the constants allows the interface.
  @Test func aWrongAuthenticationUIAllowsIt() throws {
    for value: Any in [NSNull(), 1, true, Data(), "other", [Any]()] {
      try onDevice { device in
        try addGuarded()
        #expect(exists(query([kSecUseAuthenticationUI: value])) == errSecSuccess, "\(value)")
        #expect(device.user.prompts.count == 1)
        #expect(
          update(query(), [kSecUseAuthenticationUI: value]) == errSecNoSuchAttr,
          "SecDbQuery.c:845-848; SecItemDb.c:86")
      }
    }
  }

  /// SecItem.m:1598-1599: only the Boolean true forbids the interface.
  @Test func onlyTrueForbidsTheInterface() throws {
    for value: Any in [NSNull(), 1, "true", false] {
      try onDevice { device in
        try addGuarded()
        #expect(exists(query([kSecUseNoAuthenticationUI: value])) == errSecSuccess, "\(value)")
        #expect(device.user.prompts.count == 1)
      }
    }
  }

  /// SecItem.m:1597-1605: the newer key decides.
  @Test func theNewerKeyOfTheInterfaceDecides() throws {
    try onDevice { device in
      try addGuarded()
      let older: Request = [kSecUseNoAuthenticationUI: true]
      func status(_ newer: Any) -> OSStatus {
        exists(query(older.merging([kSecUseAuthenticationUI: newer]) { $1 }))
      }
      #expect(status(kSecUseAuthenticationUISkip) == errSecItemNotFound)
      #expect(status(kSecUseAuthenticationUIFail) == errSecInteractionNotAllowed)
      #expect(device.user.prompts.isEmpty)
      #expect(status(kSecUseAuthenticationUIAllow) == errSecSuccess)
      #expect(status(NSNull()) == errSecSuccess)
    }
  }

  /// SecItemServer.c:2638-2639, 3190-3191. In a deletion, Apple ignores the key (3281-3303).
  @Test func aListOfItemsIsForAdditionsOnly() throws {
    try onDevice { _ in
      #expect(add(password()) == errSecSuccess)
      for list: Any in [[password()], [Data([1])], [Any]()] {
        let wrong = query([kSecUseItemList: list])
        #expect(exists(wrong) == errSecParam)
        #expect(update(wrong, [kSecAttrLabel: "x"]) == errSecParam)
        #expect(delete(wrong) == errSecParam)
      }
      #expect(value(query()) == "s3cr3t")
    }
  }

  /// der_plist.c:129 refuses objects in the list; SecDbQuery.c:468-567 ignores data, so a search finds items
  /// that are not in the list. SecItemDb.c:1298-1300 and SecItemServer.c:3294-3295 refuse it.
  @Test func aListToMatchIsRefused() throws {
    try onDevice { _ in
      #expect(add(password()) == errSecSuccess)
      let reference = try #require(find(query([kSecReturnPersistentRef: true])).result)
      for list: Any in [[reference], [try Fixture.key("p256")], [Any](), NSNull()] {
        let wrong = query([kSecMatchItemList: list])
        #expect(exists(wrong) == errSecParam)
        #expect(update(wrong, [kSecAttrLabel: "x"]) == errSecParam)
        #expect(delete(wrong) == errSecParam)
        #expect(add(password("adam", [kSecMatchItemList: list])) == errSecParam)
      }
      #expect(value(query()) == "s3cr3t" && exists(query("adam")) == errSecItemNotFound)
    }
  }

  /// der_number.c:114-118, 128-130; SecItem.m:189-194.
  @Test(arguments: [1.5, -0.5, 1e300, .infinity])
  func aFractionCannotBeEncoded(number: Double) throws {
    try onDevice { _ in
      #expect(add(password([kSecAttrCreator: number])) == errSecDecode)
      #expect(exists(query()) == errSecItemNotFound)
      #expect(add(password()) == errSecSuccess)
      #expect(exists(query([kSecAttrCreator: number])) == errSecDecode)
      #expect(update(query(), [kSecAttrCreator: number]) == errSecDecode)
      #expect(delete(query([kSecAttrCreator: number])) == errSecDecode)
      #expect(exists(query()) == errSecSuccess)
    }
  }

  /// SecDbQuery.c:283-284: the word stands for no value, and the item is not synchronizable.
  @Test func anAdditionOfAnySynchronizabilityIsNotSynchronizable() throws {
    try onDevice { _ in
      #expect(add(password([kSecAttrSynchronizable: kSecAttrSynchronizableAny])) == errSecSuccess)
      #expect(exists(query()) == errSecSuccess)
      #expect(attributes(query())?["sync"] as? Int == 0)
    }
  }

  /// SecItemDb.c:242-248 against SecItem.m:1178-1180.
  @Test func anAdditionReturnsAnEmptyValueForNone() throws {
    try onDevice { _ in
      let added = adding(password(value: nil, [kSecReturnData: true]))
      #expect(added.status == errSecSuccess && added.result as? Data == Data())
      let found = find(query([kSecReturnData: true]))
      #expect(found.status == errSecSuccess && found.result == nil)
      let both: Request = [kSecReturnData: true, kSecReturnPersistentRef: true]
      let more = adding(password("adam", value: nil, both)).result as? [String: Any]
      #expect(more.map { Set($0.keys) } == ["v_PersistentRef"])
    }
  }

  /// SecCertificate.c:5331-5334: `errSecInternal`, which SecBasePriv.h:66 defines.
  @Test(arguments: ["organisation", "nameless"])
  func aMissingCommonNameIsInternal(name: String) throws {
    var common: CFString?
    let certificate = try certificate(name)
    #expect(SecCertificateCopyCommonName(certificate, &common) == -26276)
    #expect(common == nil)
  }

  /// SecItem.m:688-700; SecCertificate.c:4307-4347: a certificate without any name gets no label.
  @Test func aCertificateWithoutANameIsStoredWithoutALabel() throws {
    try onDevice { _ in
      let nameless = try certificate("nameless")
      #expect(SecCertificateCopySubjectSummary(nameless) == nil)
      #expect(add([kSecClass: kSecClassCertificate, kSecValueRef: nameless]) == errSecSuccess)
      #expect(add([kSecValueRef: nameless]) == errSecDuplicateItem)
      let all = try #require(attributes([kSecClass: kSecClassCertificate]))
      #expect(all["labl"] == nil)
      #expect((all["subj"] as? Data)?.isEmpty == true && (all["issr"] as? Data)?.isEmpty == true)
      let found = find([kSecClass: kSecClassCertificate, kSecReturnRef: true]).result
      #expect(found as? SecCertificate == nameless)
      #expect(delete([kSecValueRef: nameless]) == errSecSuccess)
    }
  }

  /// Adds an item for which the user is asked.
  private func addGuarded() throws {
    let control = try accessControl(.userPresence)
    #expect(add(password([kSecAttrAccessControl: control])) == errSecSuccess)
  }

  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, Fixture.data("\(name).cer") as CFData))
  }
}
