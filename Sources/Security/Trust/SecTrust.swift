// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestKeychain
import AtRestSecKey
import Foundation
import Synchronization

/// Certificates to evaluate, with the policies and anchors of the evaluation.
///
/// This module cannot verify certificates itself. Until the program sets a ``TrustEvaluator``, every evaluation
/// fails with `errSecNotAvailable`, so that no certificate is trusted by mistake.
///
/// An object can be used from several threads.
public final class SecTrust: NSObject, @unchecked Sendable {
  // `@unchecked` because the policies and certificates are objects of Foundation's types.
  struct State {
    let certificates: [SecCertificate]
    var policies: [SecPolicy]
    var anchors: [SecCertificate]?
    /// True if the system's anchors are not trusted, only ``anchors``.
    var anchorsOnly = false
    var verifyDate: Date?
    var isNetworkFetchAllowed = true
    /// Counts the changes, so that a result is kept only for the state that was evaluated.
    var version = 0
    var evaluated: Evaluated?
  }
  let state: Mutex<State>

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    state = Mutex(State(certificates: certificates, policies: policies))
  }

  /// The certificate to evaluate.
  var certificate: SecCertificate { state.withLock { $0.certificates[0] } }

  /// Changes the conditions of the evaluation, and forgets its result.
  func change(_ body: (inout State) -> Void) {
    state.withLock {
      body(&$0)
      $0.evaluated = nil
      $0.version += 1
    }
  }

  static let evaluator = Mutex<(any TrustEvaluator)?>(nil)

  /// Sets what evaluates certificates in this process, or nil to evaluate none. Apple's framework does not have
  /// this call.
  ///
  /// Objects that were evaluated keep their result, until it has aged.
  public static func setEvaluator(_ evaluator: (any TrustEvaluator)?) {
    self.evaluator.withLock { $0 = evaluator }
  }

  static let unavailable = StatusError(
    errSecNotAvailable,
    "This program evaluates no certificates. Set a TrustEvaluator, as in Examples/WithCertificates."
  )
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
/// - Returns: `errSecSuccess`, or `errSecParam` if an argument contains something else, or an array is empty.
@discardableResult
public func SecTrustCreateWithCertificates(
  _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
  guard let certificates: [SecCertificate] = elements(certificates), !certificates.isEmpty,
    let policies: [SecPolicy] = policies.map({ elements($0) }) ?? [SecPolicyCreateBasicX509()],
    !policies.isEmpty
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
/// - Returns: `errSecSuccess`, or `errSecParam` if the object is something else, or an empty array.
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
  guard let policies: [SecPolicy] = elements(policies), !policies.isEmpty else {
    return errSecParam
  }
  trust.change { $0.policies = policies }
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

/// Sets the certificates with which a trusted chain may end, instead of the system's. nil restores the system's.
///
/// - Returns: `errSecSuccess`, or `errSecParam` if the array contains something else.
@discardableResult
public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
  let anchors = anchorCertificates as? [SecCertificate]
  guard anchors != nil || anchorCertificates == nil else { return errSecParam }
  trust.change { ($0.anchors, $0.anchorsOnly) = (anchors, anchors != nil) }
  return errSecSuccess
}

/// Determines whether the anchors that were set are the only ones, which they are by default, or whether the
/// system's are trusted too. Without anchors that were set, `true` means that there are none. The call always
/// returns `errSecSuccess`.
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.change { $0.anchorsOnly = anchorCertificatesOnly }
  return errSecSuccess
}

/// Gets the anchors that were set, or nil if none were. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustCopyCustomAnchorCertificates(
  _ trust: SecTrust, _ anchors: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  anchors.pointee = trust.state.withLock { $0.anchors } as NSArray?
  return errSecSuccess
}

/// Sets the date for which certificates are evaluated. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus {
  let date = verifyDate as Date
  trust.change { $0.verifyDate = date }
  return errSecSuccess
}

/// Returns the date for which certificates are evaluated, in seconds since 2001.
public func SecTrustGetVerifyTime(_ trust: SecTrust) -> CFAbsoluteTime {
  (trust.state.withLock { $0.verifyDate } ?? DefaultKeychain.now).timeIntervalSinceReferenceDate
}

/// Determines whether an evaluation may use the network. None does, with either value. The call always returns
/// `errSecSuccess`.
@discardableResult
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus {
  trust.state.withLock { $0.isNetworkFetchAllowed = allowFetch }
  return errSecSuccess
}

/// Gets the value of ``SecTrustSetNetworkFetchAllowed(_:_:)``. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustGetNetworkFetchAllowed(
  _ trust: SecTrust, _ allowFetch: UnsafeMutablePointer<Bool>
) -> OSStatus {
  allowFetch.pointee = trust.state.withLock { $0.isNetworkFetchAllowed }
  return errSecSuccess
}

/// Returns nil: no failure of an evaluation can be excepted.
public func SecTrustCopyExceptions(_ trust: SecTrust) -> CFData? { nil }

/// Returns false for any exceptions, because no failure can be excepted. nil removes exceptions, of which there
/// are none, and is true.
@discardableResult
public func SecTrustSetExceptions(_ trust: SecTrust, _ exceptions: CFData?) -> Bool {
  exceptions == nil
}
