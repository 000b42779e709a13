import Foundation
import Security
import Testing

@Suite struct CertificateTests {
  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(
      SecCertificateCreateWithData(nil, try Fixture.data("\(name).cer") as CFData))
  }

  @Test func aCertificateSaysWhatIsInIt() throws {
    let leaf = try certificate("leaf")
    #expect(SecCertificateCopyData(leaf) as Data == (try Fixture.data("leaf.cer")))
    #expect(SecCertificateCopySubjectSummary(leaf) as String? == "Leaf")
    #expect(
      SecCertificateCopySerialNumberData(leaf, nil) as Data?
        == Data([0x00, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0x01]))
    #expect(SecCertificateCopyKey(leaf) == (try Fixture.publicKey("p256")))
    var name: CFString?
    #expect(SecCertificateCopyCommonName(leaf, &name) == 0)
    #expect(name as String? == "Leaf")
    var addresses: CFArray?
    #expect(SecCertificateCopyEmailAddresses(leaf, &addresses) == 0)
    #expect(addresses as? [String] == ["alt@example.com", "leaf@example.com"])
  }

  /// Dates without seconds or with a time zone, as in some old roots. A month 13 is no date.
  @Test func oldFormsOfDatesAreRead() throws {
    let old = try certificate("old-dates")
    let start = try #require(SecCertificateCopyNotValidBeforeDate(old)) as Date
    let end = try #require(SecCertificateCopyNotValidAfterDate(old)) as Date
    #expect(start.formatted(.iso8601) == "1996-01-01T00:00:00Z")
    #expect(end.formatted(.iso8601) == "2025-12-31T23:00:00Z")
    #expect(SecCertificateCreateWithData(nil, try Fixture.data("bad-date.cer") as CFData) == nil)
  }

  @Test(arguments: [
    ("mail", "only@example.com"), ("organisation", "Two, One"), ("root", "Test Root"),
    ("names", "Zweite, Änne (for tests)"), ("secp256k1", "Other curve"),
  ])
  func summariesAreTheBestNameThereIs(name: String, summary: String) throws {
    #expect(SecCertificateCopySubjectSummary(try certificate(name)) as String? == summary)
  }

  @Test func namesAreComparedInUpperCaseAndWithoutNeedlessSpaces() throws {
    let leaf = try certificate("leaf")
    let subject = try #require(SecCertificateCopyNormalizedSubjectSequence(leaf) as Data?)
    #expect(subject.range(of: Data([0x13, 12] + Array("ATREST TESTS".utf8))) != nil)
    #expect(subject.range(of: Data([0x16, 16] + Array("leaf@example.com".utf8))) != nil)
    #expect(subject[0] == 0x30)
    #expect(Int(subject[1]) == subject.count - 2)
    let root = try certificate("root")
    #expect(
      SecCertificateCopyNormalizedIssuerSequence(leaf)
        == SecCertificateCopyNormalizedSubjectSequence(root))
    #expect(
      SecCertificateCopyNormalizedIssuerSequence(leaf)
        != SecCertificateCopyNormalizedSubjectSequence(leaf))
  }

  @Test func aKeyOfAnotherKindIsNil() throws {
    #expect(SecCertificateCopyKey(try certificate("secp256k1")) == nil)
  }

  @Test func missingNamesAreErrors() throws {
    let organisation = try certificate("organisation")
    var name: CFString?
    #expect(SecCertificateCopyCommonName(organisation, &name) != 0)
    var addresses: CFArray?
    #expect(SecCertificateCopyEmailAddresses(organisation, &addresses) == 0)
    #expect(name == nil)
    #expect(addresses == [])
  }

  @Test func certificatesAreEqualByContent() throws {
    #expect(try certificate("leaf") == certificate("leaf"))
    #expect(try certificate("leaf") != certificate("root"))
  }
}
