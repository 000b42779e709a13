// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestSecKey
import Dispatch
import Foundation
import Synchronization

/// Certificates to evaluate, with the policies and anchors of the evaluation.
///
/// This module cannot evaluate certificates. Code that uses this type compiles, but every evaluation
/// fails with `errSecNotAvailable`, so that no certificate is trusted by mistake. Evaluate
/// certificates with swift-certificates, as `Examples/WithCertificates` does.
///
/// An object can be used from several threads.
public final class SecTrust: NSObject, @unchecked Sendable {
  // `@unchecked` because the policies and certificates are objects of Foundation's types.
  struct State {
    var certificates: [SecCertificate]
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    var verifyDate: Date?
    var isNetworkFetchAllowed = true
  }
  let state: Mutex<State>

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    state = Mutex(State(certificates: certificates, policies: policies))
  }

  static let unavailable = StatusError(
    errSecNotAvailable,
    "This module does not evaluate certificates. Use swift-certificates, as in "
      + "Examples/WithCertificates.")
}

/// The results of an evaluation.
public enum SecTrustResultType: UInt32, Sendable {
  /// No evaluation was completed.
  case invalid = 0
  /// The user trusts the certificate.
  case proceed = 1
  /// The user does not trust the certificate.
  case deny = 3
  /// The certificate is trusted.
  case unspecified = 4
  /// The certificate is not trusted, but the user may decide.
  case recoverableTrustFailure = 5
  /// The certificate is not trusted.
  case fatalTrustFailure = 6
  /// The evaluation failed.
  case otherError = 7
}

/// Creates an object for certificates and policies.
///
/// - Parameters:
///   - certificates: A certificate, or an array of certificates that begins with the one to
///     evaluate.
///   - policies: A policy, an array of policies, or nil for the policy of X.509.
///   - trust: Receives the object.
/// - Returns: `errSecSuccess`, or `errSecParam` if an argument contains something else or no
///   certificate.
@discardableResult
public func SecTrustCreateWithCertificates(
  _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
  guard let certificates: [SecCertificate] = elements(certificates), !certificates.isEmpty,
    let policies: [SecPolicy] = policies.map({ elements($0) }) ?? [SecPolicyCreateBasicX509()]
  else { return errSecParam }
  trust.pointee = SecTrust(certificates, policies)
  return errSecSuccess
}

/// Returns an object, or the objects of an array, or nil if there are objects of another type.
private func elements<Element: AnyObject>(_ object: CFTypeRef) -> [Element]? {
  if let one = object as? Element { return [one] }
  return object as? [Element]
}

/// Sets the policies of an evaluation: a policy or an array of policies.
///
/// - Returns: `errSecSuccess`, or `errSecParam` if the object is something else.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
  guard let policies: [SecPolicy] = elements(policies) else { return errSecParam }
  trust.state.withLock { $0.policies = policies }
  return errSecSuccess
}

/// Gets the policies of an evaluation. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustCopyPolicies(
  _ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  policies.pointee = trust.state.withLock { $0.policies } as NSArray
  return errSecSuccess
}

/// Sets the certificates with which a trusted chain may end. nil restores the default.
///
/// - Returns: `errSecSuccess`, or `errSecParam` if the array contains something else.
@discardableResult
public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
  let anchors = anchorCertificates as? [SecCertificate]
  guard anchors != nil || anchorCertificates == nil else { return errSecParam }
  trust.state.withLock { $0.anchors = anchors }
  return errSecSuccess
}

/// Determines whether the anchors that were set are the only ones. This module has no others.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus { errSecSuccess }

/// Sets the date for which certificates are evaluated. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
  let date = verifyDate as Date
  trust.state.withLock { $0.verifyDate = date }
  return errSecSuccess
}

/// Returns the date for which certificates are evaluated, in seconds since 2001.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
  (trust.state.withLock { $0.verifyDate } ?? Date()).timeIntervalSinceReferenceDate
}

/// Determines whether an evaluation may use the network. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
  trust.state.withLock { $0.isNetworkFetchAllowed = allowFetch }
  return errSecSuccess
}

/// Evaluates certificates. This module cannot.
///
/// - Parameter error: Receives an error with `errSecNotAvailable`.
/// - Returns: Always false.
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  error?.pointee = evaluationError()
  return false
}

/// Evaluates certificates on a queue. This module cannot.
///
/// - Parameter result: Called once on the queue, with false and an error with `errSecNotAvailable`.
/// - Returns: Always `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
  _ trust: SecTrust, _ queue: DispatchQueue,
  _ result: @escaping @Sendable (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
  queue.async { result(trust, false, evaluationError()) }
  return errSecSuccess
}

/// Evaluates certificates. This is the older form of ``SecTrustEvaluateWithError(_:_:)``.
///
/// - Parameter result: Receives ``SecTrustResultType/invalid``.
/// - Returns: Always `errSecNotAvailable`.
@discardableResult
public func SecTrustEvaluate(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  result.pointee = .invalid
  return FailureReasons.note(SecTrust.unavailable).0
}

/// Gets the result of the last evaluation, which is always ``SecTrustResultType/invalid``.
@discardableResult
public func SecTrustGetTrustResult(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  result.pointee = .invalid
  return errSecSuccess
}

private func evaluationError() -> CFError {
  let (status, reason) = FailureReasons.note(SecTrust.unavailable)
  return NSError(
    domain: NSOSStatusErrorDomain, code: Int(status),
    userInfo: [NSLocalizedDescriptionKey: reason ?? ""])
}

/// Returns the number of certificates that were given.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  trust.state.withLock { $0.certificates.count }
}

/// Returns one of the certificates that were given, or nil if there are fewer.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
  let all = trust.state.withLock { $0.certificates }
  return all.indices.contains(index) ? all[index] : nil
}

/// Returns the certificates that were given. They are not evaluated, and no chain is built.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  trust.state.withLock { $0.certificates } as NSArray
}

/// Returns the public key of the first certificate, which is not evaluated.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  SecTrustGetCertificateAtIndex(trust, 0).flatMap { SecCertificateCopyKey($0) }
}

/// Returns the public key of the first certificate. This is the older form of
/// ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }
