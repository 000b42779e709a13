import Crypto
import Foundation
import Security
import Testing
import WithCertificates
import X509

/// Chains that swift-certificates has made, evaluated by `SecTrust`.
@Suite(.serialized) struct CertificateEvaluatorTests {
  /// A certificate with its private key.
  struct Party {
    let certificate: Certificate
    let key: Certificate.PrivateKey

    var object: SecCertificate {
      get throws {
        let bytes = Data(try certificate.serializeAsPEM().derBytes)
        return try #require(SecCertificateCreateWithData(nil, bytes as CFData))
      }
    }
  }

  init() { SecTrust.setEvaluator(CertificateEvaluator()) }

  private static let day: TimeInterval = 86400

  /// Makes a certificate, whose subject is empty if the name is.
  func make(
    _ name: String, by issuer: Party? = nil, signedBy signer: Party? = nil, key: Party? = nil,
    from start: Double = -1, to end: Double = 90, version: Certificate.Version = .v3,
    @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
  ) throws -> Party {
    let key = key?.key ?? Certificate.PrivateKey(P256.Signing.PrivateKey())
    let subject = try name.isEmpty ? DistinguishedName() : DistinguishedName { CommonName(name) }
    let certificate = try Certificate(
      version: version, serialNumber: .init(), publicKey: key.publicKey,
      notValidBefore: Date(timeIntervalSinceNow: start * Self.day),
      notValidAfter: Date(timeIntervalSinceNow: end * Self.day),
      issuer: issuer?.certificate.subject ?? subject, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: try extensions().get(),
      issuerPrivateKey: signer?.key ?? issuer?.key ?? key)
    return Party(certificate: certificate, key: key)
  }

  func authority(_ name: String, by issuer: Party? = nil, length: Int? = nil) throws
    -> Party
  {
    try make(name, by: issuer, to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: length))
      Critical(KeyUsage(keyCertSign: true))
    }
  }

  func server(
    _ name: String = "a.example", by issuer: Party, from start: Double = -1, to end: Double = 90
  ) throws -> Party {
    try make("server", by: issuer, from: start, to: end) {
      SubjectAlternativeNames([.dnsName(name)])
      try ExtendedKeyUsage([.serverAuth])
    }
  }

  func trust(
    _ chain: [Party], anchors: [Party], name: String? = "a.example", server: Bool = true
  ) throws -> SecTrust {
    var trust: SecTrust?
    let certificates = try chain.map { try $0.object } as CFArray
    let policy = SecPolicyCreateSSL(server, name.map { $0 as CFString })
    #expect(SecTrustCreateWithCertificates(certificates, policy, &trust) == errSecSuccess)
    let made = try #require(trust)
    SecTrustSetAnchorCertificates(made, try anchors.map { try $0.object } as CFArray)
    return made
  }

  func status(_ trust: SecTrust) -> OSStatus {
    var error: CFError?
    let isTrusted = SecTrustEvaluateWithError(trust, &error)
    #expect(isTrusted == (error == nil))
    return error.map { OSStatus($0.code) } ?? errSecSuccess
  }

  @Test func aChainIsBuiltToTheAnchor() throws {
    let root = try authority("root")
    let middle = try authority("middle", by: root)
    let leaf = try server(by: middle)
    // The caller gives the certificates in another order, with one that does not belong to them.
    let trust = try trust([leaf, try authority("other"), middle], anchors: [root])
    #expect(status(trust) == errSecSuccess)
    let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
    #expect(chain == [try leaf.object, try middle.object, try root.object])
    var result = SecTrustResultType.invalid
    #expect(SecTrustEvaluate(trust, &result) == errSecSuccess && result == .unspecified)
  }

  @Test func anotherRootOrAMissingIssuerIsNotTrusted() throws {
    let root = try authority("root")
    let middle = try authority("middle", by: root)
    let leaf = try server(by: middle)
    let impostor = try authority("root")
    #expect(status(try trust([leaf, middle], anchors: [impostor])) == errSecCreateChainFailed)
    #expect(status(try trust([leaf, middle, root], anchors: [impostor])) == errSecNotTrusted)
    #expect(status(try trust([leaf], anchors: [root])) == errSecCreateChainFailed)
    // Without anchors, nothing can be evaluated.
    #expect(status(try trust([leaf, middle, root], anchors: [])) == errSecNotAvailable)
  }

  @Test func aForgedSignatureIsNotTrusted() throws {
    let root = try authority("root")
    let forger = try authority("forger")
    let forged = try make("server", by: root, signedBy: forger) {
      SubjectAlternativeNames([.dnsName("a.example")])
      try ExtendedKeyUsage([.serverAuth])
    }
    #expect(status(try trust([forged], anchors: [root])) == errSecCreateChainFailed)
  }

  @Test func certificatesAreValidAtTheDateThatIsSet() throws {
    let root = try authority("root")
    let leaf = try server(by: root)
    let trust = try trust([leaf], anchors: [root])
    for (day, expected) in [
      (-2.0, errSecCertificateExpired), (0, errSecSuccess), (91, errSecCertificateExpired),
    ] {
      SecTrustSetVerifyDate(trust, Date(timeIntervalSinceNow: day * Self.day) as CFDate)
      #expect(status(trust) == expected, "\(day)")
    }
  }

  @Test func namesAreCompared() throws {
    let root = try authority("root")
    let exact = try server(by: root)
    let wild = try server("*.a.example", by: root)
    let nameless = try make("a.example", by: root) { try ExtendedKeyUsage([.serverAuth]) }
    func status(_ leaf: Party, _ name: String?, server: Bool = true) throws -> OSStatus {
      self.status(try trust([leaf], anchors: [root], name: name, server: server))
    }
    #expect(try status(exact, "A.Example") == errSecSuccess)
    #expect(try status(exact, "a.example.") == errSecSuccess)
    #expect(try status(exact, nil) == errSecSuccess)
    #expect(try status(exact, "b.example") == errSecHostNameMismatch)
    #expect(try status(exact, "127.0.0.1") == errSecHostNameMismatch)
    #expect(try status(exact, "") == errSecHostNameMismatch)
    #expect(try status(wild, "x.a.example") == errSecSuccess)
    #expect(try status(wild, "x.y.a.example") == errSecHostNameMismatch)
    #expect(try status(wild, "a.example") == errSecHostNameMismatch)
    // A common name is no name of a server.
    #expect(try status(nameless, "a.example") == errSecHostNameMismatch)
    #expect(try status(wild, "localhost.") == errSecHostNameMismatch)
    #expect(try status(wild, ".") == errSecHostNameMismatch)
    for (name, host) in [
      ("w*.a.example", "www.a.example"), ("*.example", "a.example"), ("*", "a"),
      ("a.example.", "a.example"),
    ] {
      #expect(try status(server(name, by: root), host) == errSecHostNameMismatch, "\(name)")
    }
  }

  @Test func anAuthorityBeforeVersion3IsNone() throws {
    let root = try authority("root")
    let old = try make("old", by: root, version: .v1) {}
    let leaf = try server(by: old)
    #expect(status(try trust([leaf, old], anchors: [root])) == errSecNoBasicConstraints)
  }

  @Test func thereIsAlwaysAPolicy() throws {
    let root = try authority("root")
    let made = try trust([server(by: root)], anchors: [root])
    #expect(status(made) == errSecSuccess)
    // Without one, every name would be trusted.
    #expect(SecTrustSetPolicies(made, [] as CFArray) == errSecParam)
    SecTrustSetPolicies(made, SecPolicyCreateSSL(true, "b.example" as CFString))
    #expect(status(made) == errSecHostNameMismatch)
  }

  @Test func onlyAuthoritiesIssueCertificates() throws {
    let root = try authority("root")
    let noAuthority = try server("b.example", by: root)
    #expect(
      status(try trust([try server(by: noAuthority), noAuthority], anchors: [root]))
        == errSecNoBasicConstraints)
    let denied = try make("denied", by: root) {
      Critical(BasicConstraints.notCertificateAuthority)
    }
    #expect(
      status(try trust([try server(by: denied), denied], anchors: [root]))
        == errSecNoBasicConstraintsCA)
    let signsNothing = try make("signs", by: root) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(KeyUsage(digitalSignature: true))
    }
    #expect(
      status(try trust([try server(by: signsNothing), signsNothing], anchors: [root]))
        == errSecInvalidKeyUsageForPolicy)
    let short = try authority("short", by: root, length: 0)
    let below = try authority("below", by: short)
    #expect(
      status(try trust([try server(by: below), below, short], anchors: [root]))
        == errSecPathLengthConstraintExceeded)
    #expect(
      status(try trust([try server(by: short), short], anchors: [root])) == errSecSuccess)
  }

  @Test func aCertificateIsUsedForWhatItIsMeantFor() throws {
    let root = try authority("root")
    let client = try make("client", by: root) { try ExtendedKeyUsage([.clientAuth]) }
    let plain = try make("plain", by: root) { SubjectAlternativeNames([.dnsName("a.example")]) }
    func status(_ leaf: Party, server: Bool, _ others: [Party] = []) throws -> OSStatus {
      self.status(try trust([leaf] + others, anchors: [root], name: nil, server: server))
    }
    #expect(try status(client, server: false) == errSecSuccess)
    #expect(try status(client, server: true) == errSecInvalidExtendedKeyUsage)
    #expect(try status(plain, server: false) == errSecSuccess)
    #expect(try status(plain, server: true) == errSecInvalidExtendedKeyUsage)
    #expect(try status(try server(by: root), server: false) == errSecInvalidExtendedKeyUsage)
    let mailOnly = try make("mail", by: root, to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      try ExtendedKeyUsage([.emailProtection])
    }
    let leaf = try server(by: mailOnly)
    #expect(try status(leaf, server: true, [mailOnly]) == errSecInvalidExtendedKeyUsage)
  }

  @Test func aServersCertificateIsValidFor825DaysAtMost() throws {
    let root = try authority("root")
    #expect(status(try trust([try server(by: root, to: 823)], anchors: [root])) == errSecSuccess)
    #expect(
      status(try trust([try server(by: root, to: 826)], anchors: [root]))
        == errSecCertificateValidityPeriodTooLong)
  }

  @Test func unknownCriticalExtensionsAreRefused() throws {
    let root = try authority("root")
    let leaf = try make("server", by: root) {
      SubjectAlternativeNames([.dnsName("a.example")])
      try ExtendedKeyUsage([.serverAuth])
      Certificate.Extension(oid: [1, 2, 3, 4, 5], critical: true, value: [5, 0])
    }
    #expect(status(try trust([leaf], anchors: [root])) == errSecUnknownCriticalExtensionFlag)
  }

  @Test func constraintsOnNamesAreKept() throws {
    let root = try make("root", to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(NameConstraints(permittedDNSDomains: ["a.example"]))
    }
    #expect(status(try trust([try server(by: root)], anchors: [root])) == errSecSuccess)
    let outside = try server("b.example", by: root)
    #expect(
      status(try trust([outside], anchors: [root], name: "b.example")) == errSecInvalidName)
  }

  @Test func aPinnedCertificateIsItsOwnAnchor() throws {
    let root = try authority("root")
    let leaf = try server(by: root)
    let trust = try trust([leaf], anchors: [leaf])
    #expect(status(trust) == errSecSuccess)
    #expect(SecTrustGetCertificateCount(trust) == 1)
    #expect(
      status(try self.trust([leaf], anchors: [leaf], name: "b.example")) == errSecHostNameMismatch)
  }
}
