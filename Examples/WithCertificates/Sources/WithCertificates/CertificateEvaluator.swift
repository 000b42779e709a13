import Foundation
import Security
import SwiftASN1
import Synchronization
@_spi(FixedExpiryValidationTime) import X509

/// Evaluates the chains of `SecTrust` with swift-certificates.
///
/// ```swift
/// SecTrust.setEvaluator(CertificateEvaluator())
/// ```
///
/// Copy this file and CertificateOutline.swift into a program that evaluates certificates. Only anchors that the program has set are trusted:
/// for those of the system, Apple checks revocation and the logs of Certificate Transparency, which this file
/// does not. The statuses are those of Apple's sources (Security-61901), whose files and lines are named.
public struct CertificateEvaluator: TrustEvaluator {
  public init() {}

  public func chain(for request: TrustRequest) async throws -> [SecCertificate] {
    guard !request.anchors.isEmpty else { throw NoAnchors() }
    let leaf = try Self.read(request.certificate)
    try TrustPolicy.checkStrength(of: request.certificate)
    let anchors = try request.anchors.map(Self.read)
    // Nobody trusts these, so one that cannot be read is left out.
    let intermediates = request.intermediates.compactMap { try? Self.read($0) }
    let policy = TrustPolicy(request)
    let handled = policy.verifyingCriticalExtensions
    guard !leaf.extensions.contains(where: { $0.critical && !handled.contains($0.oid) }) else {
      throw TrustRefusal(
        errSecUnknownCriticalExtensionFlag, "The certificate has an unknown critical extension.")
    }
    let search = Search()
    let roots = CertificateStore(custom: BoundedStore(anchors, search))
    var verifier = Verifier(rootCertificates: roots) { policy }
    let others = CertificateStore(custom: BoundedStore(intermediates, search))
    switch await verifier.validate(leaf: leaf, intermediates: others) {
    case .validCertificate(let chain):
      return try chain.map { certificate in
        guard let known = all(request).first(where: { (try? Self.read($0)) == certificate }) else {
          throw NoAnchors()
        }
        return known
      }
    case .couldNotValidate:
      if search.isOver {
        throw TrustRefusal(
          errSecCreateChainFailed,
          "The certificates form too many chains: the search ended after \(Search.limit) issuers.")
      }
      throw policy.refusals.last ?? Self.refusal(of: leaf, intermediates)
    }
  }

  private func all(_ request: TrustRequest) -> [SecCertificate] {
    [request.certificate] + request.anchors + request.intermediates
  }

  private static func read(_ certificate: SecCertificate) throws -> Certificate {
    do {
      return try Certificate(derEncoded: Array(SecCertificateCopyData(certificate) as Data))
    } catch let error as CertificateError where error.code == .duplicateOID {
      throw TrustRefusal(
        errSecCertificateDuplicateExtension, "A certificate has an extension twice.")
    } catch {
      // swift-certificates reads no RSA key of fewer than 2,048 bits.
      try TrustPolicy.checkStrength(of: certificate)
      throw TrustRefusal(errSecInvalidCertificateRef, "A certificate cannot be read: \(error)")
    }
  }

  /// Returns the reason why no chain ends with an anchor (SecPolicyServer.c 1272 to 1297).
  private static func refusal(of leaf: Certificate, _ others: [Certificate]) -> TrustRefusal {
    var last = leaf
    for _ in 0..<10 where last.issuer != last.subject {
      guard let issuer = others.first(where: { $0.subject == last.issuer }) else {
        return TrustRefusal(errSecCreateChainFailed, "The chain does not reach an anchor.")
      }
      last = issuer
    }
    return TrustRefusal(errSecNotTrusted, "The root of the chain is none of the anchors.")
  }

  private struct NoAnchors: Error, CustomStringConvertible {
    var description: String { "No anchor that was set can be used." }
  }
}

/// The number of issuers that one search for a chain has tried, and may try.
///
/// Certificates that sign each other form more chains than anyone can try. Apple's search ends after 100 chains
/// (SecTrustServer.c 86, 1040).
private final class Search: Sendable {
  static let limit = 500
  private let tried = Mutex(0)

  var isOver: Bool { tried.withLock { $0 >= Self.limit } }

  /// Returns those issuers that may still be tried.
  func take(_ issuers: [Certificate]) -> [Certificate] {
    tried.withLock { tried in
      let taken = issuers.prefix(Self.limit - tried)
      tried += taken.count
      return Array(taken)
    }
  }
}

/// Certificates by their subjects, for a bounded search.
private struct BoundedStore: CustomCertificateStore {
  private var certificates: [DistinguishedName: [Certificate]]
  private let search: Search

  init(_ certificates: [Certificate], _ search: Search) {
    self.certificates = Dictionary(grouping: certificates, by: \.subject)
    self.search = search
  }

  subscript(subject: DistinguishedName) -> [Certificate]? {
    get async { certificates[subject].map(search.take) }
  }

  func contains(_ certificate: Certificate) async -> Bool {
    certificates[certificate.subject]?.contains(certificate) ?? false
  }

  mutating func append(contentsOf more: some Sequence<Certificate>) {
    for certificate in more { certificates[certificate.subject, default: []].append(certificate) }
  }

  static func == (one: Self, other: Self) -> Bool {
    one.certificates == other.certificates && one.search === other.search
  }

  func hash(into hasher: inout Hasher) { hasher.combine(certificates) }
}

/// The conditions that a chain has to meet.
private struct TrustPolicy: VerifierPolicy, Sendable {
  /// The reasons why chains were refused.
  final class Refusals: Sendable {
    private let all = Mutex<[TrustRefusal]>([])
    var last: TrustRefusal? { all.withLock { $0.last } }
    func append(_ refusal: TrustRefusal) { all.withLock { $0.append(refusal) } }
  }

  let refusals = Refusals()
  private let request: TrustRequest
  private var standard: RFC5280Policy

  init(_ request: TrustRequest) {
    self.request = request
    standard = RFC5280Policy(fixedExpiryValidationTime: request.date)
  }

  var verifyingCriticalExtensions: [ASN1ObjectIdentifier] {
    standard.verifyingCriticalExtensions
      + [.X509ExtensionID.subjectAlternativeName, .X509ExtensionID.extendedKeyUsage]
  }

  mutating func chainMeetsPolicyRequirements(
    chain: UnverifiedCertificateChain
  ) async -> PolicyEvaluationResult {
    do {
      try check(Array(chain))
      for purpose in request.purposes { try check(purpose, chain) }
    } catch {
      let refusal =
        error as? TrustRefusal ?? TrustRefusal(errSecInvalidCertificateRef, "\(error)")
      refusals.append(refusal)
      return .failsToMeetPolicy(reason: refusal.reason)
    }
    // A certificate that is an anchor itself has no issuers to check.
    guard chain.count > 1 else { return .meetsPolicy }
    // Versions and constraints on names.
    let result = standard.chainMeetsPolicyRequirements(chain: chain)
    if case .failsToMeetPolicy(let reason) = result {
      let hasConstraints = chain.contains { (try? $0.extensions.nameConstraints) ?? nil != nil }
      refusals.append(
        TrustRefusal(
          hasConstraints ? errSecInvalidName : errSecInvalidCertificateRef, "\(reason)"))
    }
    return result
  }

  private func check(_ chain: [Certificate]) throws {
    guard !request.purposes.isEmpty else { throw TrustRefusal(errSecParam, "There is no policy.") }
    for certificate in chain {
      // SecPolicyServer.c 1258, 1361, 2893, and SecPolicyChecks.list 25, also if it is not valid yet.
      guard certificate.notValidBefore <= request.date, request.date <= certificate.notValidAfter
      else {
        throw TrustRefusal(
          errSecCertificateExpired, "\(certificate.subject) is not valid at \(request.date).")
      }
    }
    for certificate in chain { try checkForm(of: certificate) }
    try checkLinks(chain)
    for (index, issuer) in chain.enumerated().dropFirst() {
      // SecPolicyServer.c 2914 to 2945. Before version 3 nothing tells an authority from another holder.
      guard issuer.version == .v3 else {
        guard index == chain.count - 1 else {
          throw TrustRefusal(
            errSecNoBasicConstraints, "\(issuer.subject) is older than version 3, and no anchor.")
        }
        continue
      }
      guard let constraints = try issuer.extensions.basicConstraints else {
        throw TrustRefusal(errSecNoBasicConstraints, "\(issuer.subject) has no basic constraints.")
      }
      guard case .isCertificateAuthority(let longest) = constraints else {
        throw TrustRefusal(errSecNoBasicConstraintsCA, "\(issuer.subject) is no authority.")
      }
      // SecPolicyServer.c 1450 to 1466. Authorities that issued themselves do not count.
      let below = chain[1..<index].count { $0.subject != $0.issuer }
      guard longest.map({ below <= $0 }) ?? true else {
        throw TrustRefusal(
          errSecPathLengthConstraintExceeded, "The chain below \(issuer.subject) is too long.")
      }
      guard try issuer.extensions.keyUsage?.keyCertSign ?? true else {
        throw TrustRefusal(
          errSecInvalidKeyUsageForPolicy, "The key of \(issuer.subject) signs no certificates.")
      }
    }
  }

  /// SecPolicyLeafCallbacks.c 161 to 180, 734.
  private func checkForm(of certificate: Certificate) throws {
    let extensions = certificate.extensions
    let isAuthority: Bool
    do {
      // Those extensions that swift-certificates reads.
      _ = try (extensions.keyUsage, extensions.extendedKeyUsage, extensions.nameConstraints)
      _ = try (extensions.subjectAlternativeNames, extensions.authorityInformationAccess)
      _ = try (extensions.subjectKeyIdentifier, extensions.authorityKeyIdentifier)
      if case .isCertificateAuthority = try extensions.basicConstraints {
        isAuthority = true
      } else {
        isAuthority = false
      }
    } catch {
      throw TrustRefusal(
        errSecUnknownCertExtension, "\(certificate.subject) has an extension that cannot be read.")
    }
    guard certificate.subject.isEmpty else { return }
    let names = extensions[oid: .X509ExtensionID.subjectAlternativeName]
    guard !isAuthority, names?.critical == true else {
      throw TrustRefusal(
        errSecInvalidSubjectName,
        "A certificate without a subject is an authority, or its alternative names are not critical."
      )
    }
  }

  /// SecPolicyServer.c 317 to 341: the identifier that an issuer has of its key is that by which it is named.
  private func checkLinks(_ chain: [Certificate]) throws {
    for (certificate, issuer) in zip(chain, chain.dropFirst()) {
      guard let key = try issuer.extensions.subjectKeyIdentifier?.keyIdentifier,
        let named = try certificate.extensions.authorityKeyIdentifier?.keyIdentifier
      else { continue }
      guard key == named else {
        throw TrustRefusal(
          errSecInvalidIDLinkage, "\(certificate.subject) names another key than its issuer's.")
      }
    }
  }

  /// Checks the key and the signature of a certificate that swift-certificates may not read
  /// (SecCertificate.c 84, SecPolicyLeafCallbacks.c 667 to 700). No user may decide otherwise.
  static func checkStrength(of certificate: SecCertificate) throws {
    guard let outline = try? CertificateOutline(SecCertificateCopyData(certificate) as Data) else {
      return
    }
    if outline.signature.hasWeakHash {
      throw TrustRefusal(
        errSecInvalidDigestAlgorithm, "A certificate is signed with MD2, MD4 or MD5.",
        isFatal: true)
    }
    if let bits = outline.bitsOfRSA, bits < 2048 {
      throw TrustRefusal(
        errSecUnsupportedKeySize, "An RSA key has \(bits) bits.", isFatal: bits < 1024)
    }
  }

  private func check(
    _ purpose: TrustRequest.Purpose, _ chain: UnverifiedCertificateChain
  ) throws {
    switch purpose {
    case .any: return
    case .server(let name):
      try checkServer(Array(chain))
      try checkName(name, chain)
    case .client(let name):
      try checkUsage(Array(chain), .clientAuth, isRequired: false)
      try checkName(name, chain)
    }
  }

  private func checkServer(_ chain: [Certificate]) throws {
    let leaf = chain[0]
    // 1 July 2019: SecPolicyServer.c 2296 to 2303, SecPolicy.c 1792 to 1804.
    let isRecent = leaf.notValidBefore > Date(timeIntervalSinceReferenceDate: 583_628_400)
    try checkUsage(chain, .serverAuth, isRequired: isRecent)
    let longest: TimeInterval = 825 * 86400 + 3600
    guard !isRecent || leaf.notValidAfter.timeIntervalSince(leaf.notValidBefore) <= longest else {
      throw TrustRefusal(
        errSecCertificateValidityPeriodTooLong, "The certificate is valid for over 825 days.")
    }
    // SecPolicy.c 1872, 1873: weak hashes. The signature of the anchor is not used.
    for certificate in chain.dropLast()
    where certificate.signatureAlgorithm == .sha1WithRSAEncryption {
      throw TrustRefusal(
        errSecInvalidDigestAlgorithm, "\(certificate.subject) is signed with SHA-1.")
    }
  }

  /// SecPolicyServer.c 357 to 396 for the certificate, 2273 to 2284 for its issuers.
  private func checkUsage(
    _ chain: [Certificate], _ wanted: ExtendedKeyUsage.Usage, isRequired: Bool
  ) throws {
    for (index, certificate) in chain.enumerated() where index == 0 || index < chain.count - 1 {
      let usages = try certificate.extensions.extendedKeyUsage
      let isAny = usages?.contains(.any) ?? true
      let isFine = usages?.contains(wanted) ?? false
      guard isFine || (isAny && (index > 0 || !isRequired)) else {
        throw TrustRefusal(
          errSecInvalidExtendedKeyUsage,
          "\(certificate.subject) is not meant for this use: its extended key usage excludes it.")
      }
    }
  }

  /// SecPolicyLeafCallbacks.c 296 to 342: only alternative names count. A certificate with a name of another form
  /// is refused whole, because constraints on names may not see that form.
  private func checkName(_ name: String?, _ chain: UnverifiedCertificateChain) throws {
    guard var name else { return }
    if name.hasSuffix(".") { name.removeLast() }
    let names = try chain.leaf.extensions.subjectAlternativeNames
    let isUsual = names?.allSatisfy { other in
      if case .dnsName(let text) = other { Self.isUsual(text) } else { true }
    }
    var policy = ServerIdentityPolicy(serverHostname: name, serverIP: name)
    guard names?.isEmpty == false, isUsual == true, Self.isUsual(name), !name.contains("*"),
      case .meetsPolicy = policy.chainMeetsPolicyRequirements(chain: chain)
    else {
      throw TrustRefusal(errSecHostNameMismatch, "The certificate is not that of \(name).")
    }
  }

  /// True if no label is empty, and at most the first of three or more is a wildcard.
  private static func isUsual(_ name: String) -> Bool {
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    guard !labels.contains(""), !name.utf8.contains(0) else { return false }
    return labels.dropFirst().allSatisfy { !$0.contains("*") }
      && (!labels[0].contains("*") || labels[0] == "*" && labels.count >= 3)
  }
}
