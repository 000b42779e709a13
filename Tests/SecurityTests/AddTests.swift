import AtRestSimulation
import Foundation
import Security
import Testing

@Suite struct AddTests {
  @Test func aSecondItemOfTheSameKeyIsADuplicate() throws {
    try onDevice { _ in
      #expect(add(password()) == errSecSuccess)
      #expect(add(password(value: "other")) == errSecDuplicateItem)
      #expect(value(query()) == "s3cr3t")
    }
  }

  @Test func accessibilityMakesNoSecondItem() throws {
    try onDevice { _ in
      #expect(add(password([kSecAttrAccessible: kSecAttrAccessibleAlways])) == errSecSuccess)
      #expect(
        add(password([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]))
          == errSecDuplicateItem)
    }
  }

  @Test func everyPartOfTheKeyMakesAnotherItem() throws {
    try onDevice { _ in
      let server: Request = [
        kSecClass: kSecClassInternetPassword, kSecAttrAccount: "eva", kSecAttrServer: "a.example",
      ]
      #expect(add(server) == errSecSuccess)
      for more: Request in [
        [kSecAttrAccount: "tom"], [kSecAttrServer: "b.example"], [kSecAttrSecurityDomain: "d"],
        [kSecAttrProtocol: kSecAttrProtocolHTTPS], [kSecAttrPort: 8080], [kSecAttrPath: "/a"],
        [kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic],
        [kSecAttrSynchronizable: true],
      ] {
        let other = server.merging(more) { $1 }
        #expect(add(other) == errSecSuccess, "\(more)")
        #expect(add(other) == errSecDuplicateItem, "\(more)")
      }
    }
  }

  @Test func whatIsAskedForComesBack() throws {
    try onDevice { _ in
      #expect(adding(password("a")).result == nil)
      #expect(
        adding(password("b", [kSecReturnData: true])).result as? Data == Data("s3cr3t".utf8))
      let both = adding(password("c", [kSecReturnData: true, kSecReturnAttributes: true]))
      let dictionary = both.result as? [String: Any]
      #expect(dictionary?[kSecAttrAccount as String] as? String == "c")
      #expect(dictionary?[kSecValueData as String] as? Data == Data("s3cr3t".utf8))
      let reference = adding(password("d", [kSecReturnPersistentRef: true])).result as? Data
      #expect(value([kSecValuePersistentRef: reference as Any]) == "s3cr3t")
    }
  }

  @Test func whatIsSavedUnderAccessControlAsksNobody() throws {
    try onDevice { device in
      let control = try accessControl(.userPresence)
      let added = adding(
        password([kSecAttrAccessControl: control, kSecReturnAttributes: true]))
      #expect(added.status == errSecSuccess)
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func datesAreSetByTheKeychain() throws {
    try onDevice { _ in
      let past = Date(timeIntervalSince1970: 0)
      #expect(
        add(password([kSecAttrCreationDate: past, kSecAttrModificationDate: past]))
          == errSecSuccess)
      let created = attributes(query())?[kSecAttrCreationDate as String] as? Date
      #expect(created.map { $0 > past } == true)
    }
  }

  @Test func aListIsAddedWholeOrNotAtAll() throws {
    try onDevice { _ in
      let all = adding([
        kSecUseItemList: [password("a"), password("b")], kSecReturnPersistentRef: true,
      ])
      #expect(all.status == errSecSuccess)
      #expect((all.result as? [Data])?.count == 2)
      #expect(
        add([kSecUseItemList: [password("c"), password("a")]]) == errSecDuplicateItem)
      #expect(exists(query("c")) == errSecItemNotFound)
    }
  }

  @Test func aProtectionThatNeedsAPasscodeIsRefusedWithoutOne() throws {
    let device = try SimulatedDevice()
    device.run {
      #expect(
        add(
          password([kSecAttrAccessible: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly]))
          == errSecAuthFailed)
      #expect(exists(query()) == errSecItemNotFound)
    }
  }
}
