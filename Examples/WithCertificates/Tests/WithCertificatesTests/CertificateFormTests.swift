import Foundation
import Security
import SwiftASN1
import Testing
import X509

/// The form of certificates, and sets of certificates that are made to keep a search busy.
extension CertificateEvaluatorTests {
  private func result(_ trust: SecTrust) -> SecTrustResultType {
    var result = SecTrustResultType.invalid
    #expect(SecTrustGetTrustResult(trust, &result) == errSecSuccess)
    return result
  }

  @Test func anIssuerIsThatOfTheKeyThatIsNamed() throws {
    let root = try make("root", to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      SubjectKeyIdentifier(keyIdentifier: [1, 2, 3])
    }
    func leaf(_ named: [UInt8]) throws -> Party {
      try make("server", by: root) {
        SubjectAlternativeNames([.dnsName("a.example")])
        try ExtendedKeyUsage([.serverAuth])
        AuthorityKeyIdentifier(keyIdentifier: named[...])
      }
    }
    #expect(status(try trust([try leaf([1, 2, 3])], anchors: [root])) == errSecSuccess)
    let wrong = try trust([try leaf([1, 2, 4])], anchors: [root])
    #expect(status(wrong) == errSecInvalidIDLinkage)
    #expect(result(wrong) == .recoverableTrustFailure)
    SecTrustSetPolicies(wrong, SecPolicyCreateBasicX509())
    #expect(status(wrong) == errSecInvalidIDLinkage)
  }

  @Test func aCertificateHasASubjectOrCriticalNames() throws {
    let root = try authority("root")
    let plain = try make("", by: root) {
      SubjectAlternativeNames([.dnsName("a.example")])
      try ExtendedKeyUsage([.serverAuth])
    }
    #expect(status(try trust([plain], anchors: [root])) == errSecInvalidSubjectName)
    let critical = try make("", by: root) {
      Critical(SubjectAlternativeNames([.dnsName("a.example")]))
      try ExtendedKeyUsage([.serverAuth])
    }
    #expect(status(try trust([critical], anchors: [root])) == errSecSuccess)
    let authority = try make("", by: root, to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
      Critical(SubjectAlternativeNames([.dnsName("b.example")]))
    }
    #expect(
      status(try trust([try server(by: authority), authority], anchors: [root]))
        == errSecInvalidSubjectName)
  }

  @Test func anExtensionThatCannotBeReadIsRefused() throws {
    let root = try authority("root")
    let leaf = try make("server", by: root) {
      SubjectAlternativeNames([.dnsName("a.example")])
      try ExtendedKeyUsage([.serverAuth])
      Certificate.Extension(
        oid: .X509ExtensionID.authorityKeyIdentifier, critical: false, value: [4, 1])
    }
    #expect(status(try trust([leaf], anchors: [root])) == errSecUnknownCertExtension)
  }

  @Test func anExtensionTwiceIsRefused() throws {
    let root = try authority("root")
    let leaf = try make("server", by: root) {
      Certificate.Extension(oid: [1, 2, 3, 4], critical: false, value: [5, 0])
      Certificate.Extension(oid: [1, 2, 3, 5], critical: false, value: [5, 0])
    }
    // Reading comes before the signature, which the change breaks.
    var der = Data(try leaf.certificate.serializeAsPEM().derBytes)
    let second = try #require(der.range(of: Data([6, 3, 0x2A, 3, 5])))
    der[second.upperBound - 1] = 4
    var trust: SecTrust?
    let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
    SecTrustCreateWithCertificates(certificate, nil, &trust)
    let made = try #require(trust)
    SecTrustSetAnchorCertificates(made, [try root.object] as CFArray)
    #expect(status(made) == errSecCertificateDuplicateExtension)
  }

  /// Certificates that openssl has made, which swift-certificates does not make.
  @Test func weakKeysAndSignaturesAreFatal() throws {
    let weak: [(String, OSStatus, SecTrustResultType)] = [
      (Self.rsa512, errSecUnsupportedKeySize, .fatalTrustFailure),
      (Self.rsa1024, errSecUnsupportedKeySize, .recoverableTrustFailure),
      (Self.md5, errSecInvalidDigestAlgorithm, .fatalTrustFailure),
    ]
    for (text, expected, failure) in weak {
      let der = try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters))
      let certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
      var trust: SecTrust?
      SecTrustCreateWithCertificates(certificate, nil, &trust)
      let made = try #require(trust)
      SecTrustSetAnchorCertificates(made, [try authority("root").object] as CFArray)
      #expect(status(made) == expected)
      #expect(result(made) == failure)
    }
  }

  /// Eleven authorities, each of which has signed each other: millions of chains, none of which ends with the anchor.
  @Test(.timeLimit(.minutes(1))) func theSearchForAChainEnds() throws {
    let authorities = try (0...10).map { try authority("authority \($0)") }
    var signed: [Party] = []
    for (number, subject) in authorities.enumerated() {
      for issuer in authorities where issuer.certificate != subject.certificate {
        signed.append(
          try make("authority \(number)", by: issuer, key: subject, to: 3650) {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
          })
      }
    }
    let leaf = try server(by: authorities[0])
    let root = try authority("root")
    let lost = try trust([leaf] + signed, anchors: [root])
    #expect(status(lost) == errSecCreateChainFailed)
    #expect(result(lost) == .recoverableTrustFailure)
    // A chain that is found early is trusted, whatever else was given.
    let way = try make("authority 0", by: root, key: authorities[0], to: 3650) {
      Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
    }
    #expect(status(try trust([leaf, way] + signed, anchors: [root])) == errSecSuccess)
  }

  private static let rsa512 = """
    MIIBeTCCASOgAwIBAgIUYhuMPWjiWstWxRTJ22B2IV9nmF0wDQYJKoZIhvcNAQELBQAwEDEOMAwGA1UEAwwFc21hbGwwIBcNMjYx
    MjAxMTE0OTE2WhgPMjEyNjExMDcxMTQ5MTZaMBAxDjAMBgNVBAMMBXNtYWxsMFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAN6K/aHJ
    /cQ1P3J+Lej5YeUVY+rRnEDOSzT04MKN/97p3k9BJZ3UOm1u0TIjvoyEorV39jrvWXTRqKzx03Nr7MUCAwEAAaNTMFEwHQYDVR0O
    BBYEFGy4NpY82Uj3pP7FBduKJweQgtGsMB8GA1UdIwQYMBaAFGy4NpY82Uj3pP7FBduKJweQgtGsMA8GA1UdEwEB/wQFMAMBAf8w
    DQYJKoZIhvcNAQELBQADQQAnIlEOMGbHUoLhUcRw7JIi7KdeOwJMA21fYvxxbiG2IYlD/qTHUZiwHK9TeOFFGf1bBRKWd6VmX6WR
    HPjG2spl
    """
  private static let rsa1024 = """
    MIIB/jCCAWegAwIBAgIUYjNml8Lol4Zo6jz8g+MpswoSApYwDQYJKoZIhvcNAQELBQAwEDEOMAwGA1UEAwwFc21hbGwwIBcNMjYx
    MjAxMTE0OTE2WhgPMjEyNjExMDcxMTQ5MTZaMBAxDjAMBgNVBAMMBXNtYWxsMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDA
    AtG/GtbmwbIwQNROuZ812inGULoy6YZ2GpZVxfaBGK7vDcSplqfn4taG+3ldVK1Q3gDBPDZ2qF+RwqpbBu7Y20fA8vm6OLBluHiB
    gVE3fGBptYZCkc2ApVGPogrN73DzxBL4rslsKvwjxJtzlOhlqtz8g0paftsKM/EdfvjwawIDAQABo1MwUTAdBgNVHQ4EFgQUTxKd
    oHTmWceCnLLjbIQ61JGt9OQwHwYDVR0jBBgwFoAUTxKdoHTmWceCnLLjbIQ61JGt9OQwDwYDVR0TAQH/BAUwAwEB/zANBgkqhkiG
    9w0BAQsFAAOBgQC/NR80Q4QPddaZj9gHhE4sugN4pdoZlGE3CW+GQwj3eSWLznBK3lFEIp6hgsI9mwiIUzRGm4T4wC62Ho8GE2VJ
    F5xu1wwwupwz993/ePf8qFvUPQAY9fLwWkQjQC8yB1G/LG0GZdR6JUZ83aKWLQRlKiQsI4sqS+mXcMso3eGuug==
    """
  private static let md5 = """
    MIIDATCCAemgAwIBAgIUJ319eFIT09QOudOyqyeFpBB3ozcwDQYJKoZIhvcNAQEEBQAwDzENMAsGA1UEAwwEd2VhazAgFw0yNjEy
    MDExMTQ5MTZaGA8yMTI2MTEwNzExNDkxNlowDzENMAsGA1UEAwwEd2VhazCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
    ALhUbw3mQ0wjq1KAdyqMJT2rWR6EpzrYIMWljqvp0nuSiweavrUMmXRl/z8mST/8SRLdVs5CvuRnfLHIRaBgLQ20tG8ABCZbqtFS
    DBSbopKkO4Vg/dUdiaRrvEzAaG8bkvKneL1/CYcgGDPS2nAZ6Bmg3ACmNkm6hveTuqn6U0TyUPhZh1oMI/hUfSpgJdH3LSHFMaaz
    u14aKzZBgS6a/FKEkA9UjpBNBrrzqy4aXEyXYbGnNCL238rDI4g4GigxAB7wk/kCVjvA/L9FwHFElrlfQa4xVF1BuJP7VP4caAl9
    goBbuuJ4HxGYSbW1lqol829HzSx2zZYlJutZL7ulwNsCAwEAAaNTMFEwHQYDVR0OBBYEFFMYCH7wZwB0Tn0RkNJ45gu9DSPaMB8G
    A1UdIwQYMBaAFFMYCH7wZwB0Tn0RkNJ45gu9DSPaMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEEBQADggEBAKgI3zzFN7tG
    6ufOqJgV989y/WVlkSfc0smjid0pgduewDVbwupMeoMLsAuNBpsLs2FknN78ZGP1zw7VcEHJsw6UGQwIwCOdKGHsyvgVqbGm1z4S
    cSEk4VLYLC4kutkiEKf3hYxWQGfUG18aIVt0Ds5CRfkxan5h6R96unpGATxkt/TppJraqSXDqZSWUsXJSJvC5kvIjPXhNt7d+zVM
    K58XIT3ck5gD3fDrbMpwg5bFo8jP8KrdaJP+HkltUadQs2pJXfCNW/l38ju53PvhqNEFWs7kGQzf96dpDzucjsD8vPOABrgD/6O3
    jkTSLad66bqxz0cUrlWKWJX3y1Kb4K0=
    """
}
