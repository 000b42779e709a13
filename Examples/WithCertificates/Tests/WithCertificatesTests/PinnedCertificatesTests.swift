import Crypto
import Foundation
import Testing
import WithCertificates
import X509

@Suite struct PinnedCertificatesTests {
  @Test func aCertificateThatWasKeptComesBack() throws {
    let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
    let name = try DistinguishedName { CommonName("example.com") }
    let certificate = try Certificate(
      version: .v3, serialNumber: .init(), publicKey: key.publicKey, notValidBefore: .now,
      notValidAfter: .now.addingTimeInterval(3600), issuer: name, subject: name,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(),
      issuerPrivateKey: key)
    let pinned = PinnedCertificates(account: UUID().uuidString)
    #expect(try pinned.pinned() == nil)
    #expect(try pinned.pin(certificate) == 0)
    #expect(try pinned.pinned() == certificate)
  }
}
