import Foundation
import Security
import Synchronization
import Testing

/// Tests that no certificate is trusted unless an evaluator has said so. The evaluator is that of the process.
@Suite(.serialized) struct TrustTests {
  private func certificate(_ name: String) throws -> SecCertificate {
    try #require(SecCertificateCreateWithData(nil, Fixture.data("\(name).cer") as CFData))
  }

  private func trust(_ names: String..., policies: CFTypeRef? = nil) throws -> SecTrust {
    var trust: SecTrust?
    let certificates = try names.map { try certificate($0) }
    #expect(SecTrustCreateWithCertificates(certificates as CFArray, policies, &trust) == 0)
    return try #require(trust)
  }

  /// Evaluates, and returns the status of the error, or 0.
  private func status(_ trust: SecTrust) -> OSStatus {
    var error: CFError?
    let isTrusted = SecTrustEvaluateWithError(trust, &error)
    #expect(isTrusted == (error == nil))
    return error.map { OSStatus(CFErrorGetCode($0)) } ?? 0
  }

  /// An evaluator with a given answer, which notes what it was asked.
  private final class Stub: TrustEvaluator {
    let requests = Mutex<[TrustRequest]>([])
    let answer: @Sendable (TrustRequest) throws -> [SecCertificate]

    init(_ answer: @escaping @Sendable (TrustRequest) throws -> [SecCertificate]) {
      self.answer = answer
    }

    func chain(for request: TrustRequest) async throws -> [SecCertificate] {
      requests.withLock { $0.append(request) }
      await Task.yield()
      return try answer(request)
    }

    var last: TrustRequest? { requests.withLock { $0.last } }
    var count: Int { requests.withLock { $0.count } }

    func run(_ body: () throws -> Void) rethrows {
      SecTrust.setEvaluator(self)
      defer { SecTrust.setEvaluator(nil) }
      try body()
    }
  }

  private static let trusting = { @Sendable (request: TrustRequest) in
    [request.certificate] + request.anchors
  }

  @Test func noCertificateIsTrustedWithoutAnEvaluator() async throws {
    let trust = try trust("leaf", policies: SecPolicyCreateSSL(true, "example.com" as CFString))
    let root = try certificate("root")
    #expect(SecTrustSetAnchorCertificates(trust, [root] as CFArray) == 0)
    #expect(status(trust) == errSecNotAvailable)
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

  @Test func theEvaluatorIsAskedForAllThatWasSet() throws {
    let trust = try trust(
      "leaf", "mail", policies: SecPolicyCreateSSL(true, "a.example" as CFString))
    let (leaf, mail) = (try certificate("leaf"), try certificate("mail"))
    let root = try certificate("root")
    SecTrustSetAnchorCertificates(trust, [root] as CFArray)
    SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: 1_000) as CFDate)
    let stub = Stub(Self.trusting)
    try stub.run {
      #expect(status(trust) == 0)
      let request = try #require(stub.last)
      #expect(request.certificate == leaf)
      #expect(request.intermediates == [mail])
      #expect(request.anchors == [root] && !request.usesSystemAnchors)
      #expect(request.date == Date(timeIntervalSince1970: 1_000))
      #expect(request.purposes == [.server("a.example")])
      var result = SecTrustResultType.invalid
      #expect(SecTrustGetTrustResult(trust, &result) == 0 && result == .unspecified)
      let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
      #expect(chain == [leaf, root])
      #expect(SecTrustGetCertificateCount(trust) == 2)
      #expect(SecTrustGetCertificateAtIndex(trust, 1) == root)
      #expect(stub.count == 1)
    }
  }

  @Test func aChangeIsEvaluatedAnew() throws {
    let trust = try trust("leaf")
    let root = try certificate("root")
    let stub = Stub(Self.trusting)
    stub.run {
      SecTrustSetAnchorCertificates(trust, [root] as CFArray)
      #expect(status(trust) == 0)
      SecTrustSetAnchorCertificatesOnly(trust, false)
      #expect(status(trust) == 0 && stub.last?.usesSystemAnchors == true)
      SecTrustSetPolicies(trust, SecPolicyCreateSSL(false, nil))
      #expect(status(trust) == 0 && stub.last?.purposes == [.client(nil)])
      SecTrustSetVerifyDate(trust, Date() as CFDate)
      #expect(status(trust) == 0)
      SecTrustSetAnchorCertificates(trust, nil)
      #expect(status(trust) == 0 && stub.last?.anchors == [])
      #expect(stub.count == 5)
    }
  }

  @Test func aRefusalIsTheErrorAndCanBeReadAgain() throws {
    let trust = try trust("leaf", "root")
    let stub = Stub { _ in throw TrustRefusal(errSecCertificateExpired, "It is over.") }
    stub.run {
      var error: CFError?
      #expect(!SecTrustEvaluateWithError(trust, &error))
      #expect(
        error?.domain == NSOSStatusErrorDomain && error?.code == Int(errSecCertificateExpired))
      #expect(error?.localizedDescription == "It is over.")
      var result = SecTrustResultType.unspecified
      #expect(SecTrustEvaluate(trust, &result) == 0)
      #expect(result == .recoverableTrustFailure)
      #expect(SecTrustGetCertificateCount(trust) == 2)
      #expect(stub.count == 1)
    }
  }

  @Test func anEvaluationThatIsNotCompletedTrustsNothing() throws {
    struct Broken: Error {}
    let trust = try trust("leaf")
    let root = try certificate("root")
    SecTrustSetAnchorCertificates(trust, [root] as CFArray)
    let other = try certificate("mail")
    let wrong: [@Sendable (TrustRequest) throws -> [SecCertificate]] = [
      { _ in throw Broken() }, { _ in [] }, { _ in [other, root] }, { [$0.certificate] },
      { [$0.certificate, other] }, { _ in throw TrustRefusal(errSecSuccess, "") },
    ]
    for answer in wrong {
      Stub(answer).run {
        #expect(status(trust) == errSecNotAvailable)
        var result = SecTrustResultType.proceed
        #expect(SecTrustGetTrustResult(trust, &result) == 0 && result == .invalid)
      }
    }
    // It is tried again.
    Stub(Self.trusting).run { #expect(status(trust) == 0) }
  }

  @Test func policiesThatNobodyEvaluatesTrustNothing() throws {
    let stub = Stub(Self.trusting)
    let basic = SecPolicyCreateBasicX509()
    let revocation = try #require(SecPolicyCreateRevocation(1))
    let smime = try #require(SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, nil))
    let more: [CFString: Any] = [kSecPolicyName: "a.example", "SecPolicyMore" as CFString: 1]
    let unknown = try #require(
      SecPolicyCreateWithProperties(kSecPolicyAppleSSL, more as CFDictionary))
    let names: [CFString: Any] = [kSecPolicyName: ["a.example"]]
    let list = try #require(
      SecPolicyCreateWithProperties(kSecPolicyAppleSSL, names as CFDictionary))
    try stub.run {
      for policy in [revocation, smime, unknown, list] {
        let both = try trust("leaf", policies: [basic, policy] as CFArray)
        #expect(status(both) == errSecNotAvailable)
      }
      #expect(stub.count == 0)
      let trust = try trust("leaf", policies: basic)
      #expect(status(trust) == 0)
    }
  }

  /// All threads that tasks share wait here at the same time.
  @Test func manyTasksWaitWithoutStoppingEachOther() async throws {
    SecTrust.setEvaluator(Stub(Self.trusting))
    defer { SecTrust.setEvaluator(nil) }
    let leaf = try Fixture.data("leaf.cer")
    let trusted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask {
          var trust: SecTrust?
          guard let certificate = SecCertificateCreateWithData(nil, leaf as CFData) else {
            return false
          }
          SecTrustCreateWithCertificates(certificate, nil, &trust)
          return trust.map { SecTrustEvaluateWithError($0, nil) } ?? false
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(trusted == 64)
  }

  @Test func anImportedIdentityIsNotTrustedUnasked() throws {
    var items: CFArray?
    let options: [CFString: Any] = [kSecImportExportPassphrase: "öffnen"]
    let file = try Fixture.data("leaf-sha256.p12") as CFData
    #expect(SecPKCS12Import(file, options as CFDictionary, &items) == 0)
    let item = try #require((items as? [[String: Any]])?.first)
    // As apps write it.
    let trust = item[kSecImportItemTrust as String] as! SecTrust
    #expect(status(trust) == errSecNotAvailable)
  }

  @Test func whatWasGivenComesBack() throws {
    let trust = try trust("leaf", "root", policies: SecPolicyCreateBasicX509())
    #expect(SecTrustGetCertificateCount(trust) == 2)
    #expect(SecTrustGetCertificateAtIndex(trust, 1) == (try certificate("root")))
    #expect(SecTrustGetCertificateAtIndex(trust, 2) == nil)
    #expect(SecTrustCopyKey(trust) == (try Fixture.publicKey("p256")))
    var policies: CFArray?
    #expect(SecTrustCopyPolicies(trust, &policies) == 0)
    #expect(policies as? [SecPolicy] == [SecPolicyCreateBasicX509()])
    var anchors: CFArray? = []
    #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == 0 && anchors == nil)
    SecTrustSetAnchorCertificates(trust, [try certificate("root")] as CFArray)
    #expect(SecTrustCopyCustomAnchorCertificates(trust, &anchors) == 0 && anchors?.count == 1)
    var isAllowed = false
    #expect(SecTrustGetNetworkFetchAllowed(trust, &isAllowed) == 0 && isAllowed)
    #expect(CFGetTypeID(trust) == SecTrustGetTypeID())
  }

  @Test func noFailureIsExcepted() throws {
    let trust = try trust("leaf")
    #expect(SecTrustCopyExceptions(trust) == nil)
    #expect(!SecTrustSetExceptions(trust, Data([1]) as CFData))
    #expect(status(trust) == errSecNotAvailable)
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

  @Test func thereIsAlwaysAPolicy() throws {
    var made: SecTrust?
    let leaf = try certificate("leaf")
    #expect(SecTrustCreateWithCertificates(leaf, [] as CFArray, &made) == errSecParam)
    #expect(made == nil)
    let trust = try trust("leaf", policies: SecPolicyCreateSSL(true, "a.example" as CFString))
    #expect(SecTrustSetPolicies(trust, [] as CFArray) == errSecParam)
    let stub = Stub(Self.trusting)
    stub.run { _ = status(trust) }
    #expect(stub.last?.purposes == [.server("a.example")])
  }

  @Test func noPropertyOfAPolicyIsLost() throws {
    let properties: NSDictionary = [kSecPolicyName as String: "a.example", 1: "other"]
    #expect(SecPolicyCreateWithProperties(kSecPolicyAppleSSL, properties) == nil)
    // A number is not true, so this would be a server.
    let number: NSDictionary = [kSecPolicyClient as String: 1]
    let trust = try trust(
      "leaf", policies: SecPolicyCreateWithProperties(kSecPolicyAppleSSL, number))
    Stub(Self.trusting).run { #expect(status(trust) == errSecNotAvailable) }
  }

  @Test func onlyTheAnchorsThatWereSetMayBeNone() throws {
    let trust = try trust("leaf")
    let stub = Stub(Self.trusting)
    stub.run {
      _ = status(trust)
      #expect(stub.last?.usesSystemAnchors == true)
      SecTrustSetAnchorCertificatesOnly(trust, true)
      #expect(status(trust) == errSecNotAvailable)
      #expect(stub.last?.usesSystemAnchors == false)
    }
  }
}
