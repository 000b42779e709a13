import Foundation
import Security
import Testing

/// Tests that code which evaluates certificates compiles, and that no certificate is trusted.
@Suite struct TrustTests {
  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, Fixture.data("\(name).cer") as CFData))
  }

  private func trust(_ names: String..., policy: SecPolicy) throws -> SecTrust {
    var trust: SecTrust?
    let certificates = try names.map { try certificate($0) }
    #expect(SecTrustCreateWithCertificates(certificates as CFArray, policy, &trust) == 0)
    return try #require(trust)
  }

  @Test func noCertificateIsTrusted() async throws {
    let trust = try trust(
      "leaf", "root", policy: SecPolicyCreateSSL(true, "example.com" as CFString))
    #expect(SecTrustSetAnchorCertificates(trust, [try certificate("root")] as CFArray) == 0)
    var error: CFError?
    #expect(!SecTrustEvaluateWithError(trust, &error))
    #expect(error.map { CFErrorGetCode($0) } == Int(errSecNotAvailable))
    var result = SecTrustResultType.proceed
    #expect(SecTrustEvaluate(trust, &result) == errSecNotAvailable)
    #expect(result == .invalid)
    let isTrusted = await withCheckedContinuation { continuation in
      SecTrustEvaluateAsyncWithError(trust, .global()) { _, isTrusted, _ in
        continuation.resume(returning: isTrusted)
      }
    }
    #expect(!isTrusted)
  }

  @Test func whatWasGivenComesBack() throws {
    let trust = try trust("leaf", "root", policy: SecPolicyCreateBasicX509())
    #expect(SecTrustGetCertificateCount(trust) == 2)
    #expect(SecTrustGetCertificateAtIndex(trust, 1) == (try certificate("root")))
    #expect(SecTrustGetCertificateAtIndex(trust, 2) == nil)
    #expect(SecTrustCopyKey(trust) == (try Fixture.publicKey("p256")))
    var policies: CFArray?
    #expect(SecTrustCopyPolicies(trust, &policies) == 0)
    #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509()])
    #expect(CFGetTypeID(trust) == SecTrustGetTypeID())
  }

  @Test func otherObjectsAreRefused() throws {
    var trust: SecTrust?
    for wrong: CFTypeRef in ["text" as NSString, NSArray(), ["text"] as NSArray] {
      #expect(SecTrustCreateWithCertificates(wrong, nil, &trust) == errSecParam)
    }
    #expect(trust == nil)
  }

  @Test func aPolicyHasItsProperties() {
    let policy = SecPolicyCreateSSL(false, "example.com" as CFString)
    let properties = SecPolicyCopyProperties(policy) as? [String: Any]
    #expect(properties?[kSecPolicyOid as String] as? String == kSecPolicyAppleSSL as String)
    #expect(properties?[kSecPolicyName as String] as? String == "example.com")
    #expect(properties?[kSecPolicyClient as String] as? Bool == true)
    #expect(policy != SecPolicyCreateSSL(true, "example.com" as CFString))
  }
}
