import Foundation
import Security
import Testing

/// Tests the conditions of a search that compare the contents of a certificate, or a host.
@Suite struct CertificateFilterTests {
  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, Fixture.data("\(name).cer") as CFData))
  }

  private func item(_ name: String) throws -> Request {
    [kSecClass: kSecClassCertificate, kSecValueRef: try certificate(name)]
  }

  private func labels(_ more: Request) -> [String] {
    let query: Request = [
      kSecClass: kSecClassCertificate, kSecMatchLimit: kSecMatchLimitAll,
      kSecReturnAttributes: true,
    ]
    let found = find(query.merging(more) { $1 }).result as? [[String: Any]]
    return (found ?? []).compactMap { $0["labl"] as? String }.sorted()
  }

  @Test func aDateFilters() throws {
    try onDevice { _ in
      #expect(add(try item("leaf")) == errSecSuccess)
      let leaf = try certificate("leaf")
      let start = try #require(SecCertificateCopyNotValidBeforeDate(leaf)) as Date
      let end = try #require(SecCertificateCopyNotValidAfterDate(leaf)) as Date
      #expect(start < end)
      for date in [start, end] { #expect(labels([kSecMatchValidOnDate: date]) == ["Leaf"]) }
      for date in [start.addingTimeInterval(-1), end.addingTimeInterval(1)] {
        #expect(labels([kSecMatchValidOnDate: date]) == [])
      }
      let now = Date()
      #expect(
        labels([kSecMatchValidOnDate: NSNull()]) == (start <= now && now <= end ? ["Leaf"] : []))
      #expect(exists([kSecClass: kSecClassCertificate, kSecMatchValidOnDate: 5]) == errSecParam)
    }
  }

  @Test func anAddressFilters() throws {
    try onDevice { _ in
      for name in ["mail", "root"] { #expect(add(try item(name)) == errSecSuccess) }
      var addresses: CFArray?
      #expect(SecCertificateCopyEmailAddresses(try certificate("mail"), &addresses) == 0)
      let address = try #require((addresses as? [String])?.first)
      let mail = try #require(SecCertificateCopySubjectSummary(try certificate("mail"))) as String
      #expect(labels([kSecMatchEmailAddressIfPresent: address.uppercased()]) == [mail])
      #expect(labels([kSecMatchEmailAddressIfPresent: "nobody@example.com"]) == [])
    }
  }

  @Test func aCertificateWithoutAddressesHasAnEmptyList() throws {
    var addresses: CFArray?
    #expect(SecCertificateCopyEmailAddresses(try certificate("root"), &addresses) == errSecSuccess)
    #expect(addresses?.count == 0)
  }

  @Test func anIssuerIsFoundInTheFormOfTheCertificate() throws {
    try onDevice { _ in
      let leaf = try certificate("leaf")
      #expect(add(try item("leaf")) == errSecSuccess)
      let sequence = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf)) as Data
      #expect(labels([kSecAttrIssuer: sequence]) == ["Leaf"])
      #expect(labels([kSecAttrIssuer: Data([0x30, 0])]) == [])
    }
  }

  @Test func aHostFilters() throws {
    try onDevice { _ in
      for server in ["example.com", "mail.example.com", "badexample.com"] {
        _ = add([kSecClass: kSecClassInternetPassword, kSecAttrServer: server])
      }
      let query: Request = [
        kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: "example.com",
        kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
      ]
      let found = find(query).result as? [[String: Any]]
      #expect(
        found?.compactMap { $0["srvr"] as? String }.sorted()
          == ["example.com", "mail.example.com"])
      let passwords: Request = [kSecClass: kSecClassGenericPassword]
      for filter in [kSecMatchHostOrSubdomainOfHost, kSecMatchIssuers] {
        let value: Any = filter == kSecMatchIssuers ? [Data([0x30, 0])] : "example.com"
        #expect(exists(passwords.merging([filter: value]) { $1 }) == errSecUnimplemented)
      }
    }
  }

  @Test func aDamagedCertificateIsNotMissing() throws {
    let store = try FolderStore()
    let query: Request = [kSecClass: kSecClassCertificate, kSecMatchValidOnDate: Date.distantPast]
    try store.run {
      for name in ["leaf", "root"] {
        let item = try item(name)
        #expect(add(item) == errSecSuccess)
      }
      // Control: no undamaged certificate is valid on this date.
      #expect(exists(query) == errSecItemNotFound)
    }
    try store.edit(
      "UPDATE item SET metadata = zeroblob(length(metadata)) "
        + "WHERE id = (SELECT min(id) FROM item)")
    store.run { #expect(exists(query) == errSecDecode) }
  }

  @Test func aLockedIssuerHidesNoOtherMatch() throws {
    try onDevice { device in
      let locked: Request = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
      #expect(add(try item("root").merging(locked) { $1 }) == errSecSuccess)
      for name in ["leaf", "organisation"] { #expect(add(try item(name)) == errSecSuccess) }
      let issuer = try #require(
        SecCertificateCopyNormalizedIssuerSequence(certificate("organisation")))
      let query: Request = [kSecClass: kSecClassCertificate, kSecMatchIssuers: [issuer as Data]]
      device.lock()
      let found = find(query.merging([kSecReturnRef: true]) { $1 }).result as? SecCertificate
      #expect(try found == certificate("organisation"))
      // The chain of the leaf may lead to the issuer.
      #expect(
        exists(query.merging([kSecAttrLabel: "Leaf"]) { $1 }) == errSecInteractionNotAllowed)
      try device.unlock()
      #expect(exists(query.merging([kSecAttrLabel: "Leaf"]) { $1 }) == errSecItemNotFound)
    }
  }
}
