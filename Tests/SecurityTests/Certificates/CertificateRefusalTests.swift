import Foundation
import Security
import Testing

@Suite struct CertificateRefusalTests {
  private func read(_ data: Data) -> SecCertificate? {
    SecCertificateCreateWithData(nil, data as CFData)
  }

  @Test(arguments: ["leaf", "mail"])
  func whatIsCutOrLongerIsNone(name: String) throws {
    let data = try Fixture.data("\(name).cer")
    for count in stride(from: 0, to: data.count, by: 3) { #expect(read(data.prefix(count)) == nil) }
    #expect(read(data + [0]) == nil)
    #expect(read(data) != nil)
  }

  @Test func otherStructuresAreNone() throws {
    #expect(read(Data("-----BEGIN CERTIFICATE-----".utf8)) == nil)
    #expect(read(try Fixture.keyData("rsa2048")) == nil)
    #expect(read(try Fixture.data("leaf-sha256.p12")) == nil)
    // Nested sequences, deeper than a reader should follow.
    var nested = Data([0x30, 0])
    for _ in 0..<200 {
      let count = nested.count
      nested =
        (count < 128
          ? Data([0x30, UInt8(count)]) : Data([0x30, 0x82, UInt8(count >> 8), UInt8(count & 255)]))
        + nested
    }
    #expect(read(nested) == nil)
  }

  /// A certificate with a modified byte is refused, or it can be read without a trap.
  @Test func noChangeIsFatal() throws {
    let data = try Fixture.data("leaf.cer")
    for index in data.indices {
      var changed = data
      changed[index] ^= [0x01, 0x20, 0x80, 0xFF][index % 4]
      guard let certificate = read(changed) else { continue }
      _ = SecCertificateCopySubjectSummary(certificate)
      _ = SecCertificateCopyKey(certificate)
      _ = SecCertificateCopyNormalizedSubjectSequence(certificate)
      var addresses: CFArray?
      SecCertificateCopyEmailAddresses(certificate, &addresses)
    }
  }
}
