import Foundation
import Security
import Testing

/// Tests certificates as keychain items.
@Suite struct CertificateItemTests {
  private func item(_ name: String, _ more: Request = [:]) throws -> Request {
    let data = try Fixture.data("\(name).cer") as CFData
    let certificate = try #require(SecCertificateCreateWithData(nil, data))
    let item: Request = [kSecClass: kSecClassCertificate, kSecValueRef: certificate]
    return item.merging(more) { $1 }
  }

  private let query: Request = [kSecClass: kSecClassCertificate]

  @Test func itIsAlwaysAccessibleAndCalledByItsSubject() throws {
    try onDevice { device in
      let leaf = try item("leaf")
      #expect(add(leaf) == errSecSuccess)
      device.lock()
      let found = attributes(query)
      #expect(found?[kSecAttrAccessible as String] as? String == "dk")
      #expect(found?[kSecAttrLabel as String] as? String == "Leaf")
      #expect(find(query.merging([kSecReturnRef: true]) { $1 }).result is SecCertificate)
    }
  }

  /// Servers name the issuers that they accept in this form.
  @Test func theIssuersThatAreAcceptedFilter() throws {
    try onDevice { _ in
      for name in ["names", "mail", "root", "leaf"] {
        try #expect(add(item(name)) == errSecSuccess)
      }
      let data = try Fixture.data("leaf.cer") as CFData
      let leaf = try #require(SecCertificateCreateWithData(nil, data))
      let issuer = try #require(SecCertificateCopyNormalizedIssuerSequence(leaf))
      func labels(_ issuers: [Data], _ limit: CFString) -> [String] {
        let found = find(
          query.merging([
            kSecMatchIssuers: issuers, kSecMatchLimit: limit, kSecReturnAttributes: true,
          ]) { $1 }
        ).result
        let all = found as? [[String: Any]] ?? (found as? [String: Any]).map { [$0] } ?? []
        return all.compactMap { $0[kSecAttrLabel as String] as? String }
      }
      #expect(labels([issuer as Data], kSecMatchLimitAll).contains("Leaf"))
      #expect(!labels([issuer as Data], kSecMatchLimitAll).isEmpty)
      #expect(labels([issuer as Data], kSecMatchLimitOne).count == 1)
      #expect(labels([Data([0x30, 0])], kSecMatchLimitAll) == [])
    }
  }

  @Test func whatIsSaidOfItGoesBefore() throws {
    try onDevice { _ in
      let more: Request = [
        kSecAttrLabel: "mine", kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
      ]
      let leaf = try item("leaf", more)
      #expect(add(leaf) == errSecSuccess)
      let found = attributes(query)
      #expect(found?[kSecAttrAccessible as String] as? String == "ak")
      #expect(found?[kSecAttrLabel as String] as? String == "mine")
    }
  }

  @Test func theSameCertificateIsADuplicateWhateverItsLabel() throws {
    try onDevice { _ in
      #expect(try add(item("leaf")) == errSecSuccess)
      #expect(try add(item("leaf", [kSecAttrLabel: "another"])) == errSecDuplicateItem)
      let data = try Fixture.data("leaf.cer")
      #expect(add(query.merging([kSecValueData: data]) { $1 }) == errSecDuplicateItem)
      #expect(try add(item("root")) == errSecSuccess)
    }
  }

  /// These attributes find the key of a certificate, which is deleted with it.
  @Test(arguments: ["pkhh", "issr", "slnr"])
  func theCallerDoesNotSayWhatIsInIt(name: String) throws {
    let attribute = name as NSString
    try onDevice { _ in
      #expect(try add(item("leaf", [attribute: Data([1])])) == errSecParam)
      let data = try Fixture.data("leaf.cer")
      #expect(
        add(query.merging([kSecValueData: data, attribute: Data([1])]) { $1 }) == errSecParam)
      // Control: the right value is accepted.
      _ = add(try item("leaf"))
      let known = try #require(attributes(query)?[name])
      #expect(delete(query) == errSecSuccess)
      #expect(try add(item("leaf", [attribute: known])) == errSecSuccess)
    }
  }
}
