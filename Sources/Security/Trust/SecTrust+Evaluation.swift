// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestKeychain
import AtRestSecKey
import Dispatch
import Foundation

/// Evaluates certificates.
///
/// - Parameter error: Receives the reason if the certificates are not trusted, with the status in the domain
///   `NSOSStatusErrorDomain`: `errSecNotAvailable` if they could not be evaluated.
/// - Returns: True if the program's ``TrustEvaluator`` found a trusted chain that meets every policy.
public func SecTrustEvaluateWithError(
  _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
) -> Bool {
  let refusal = trust.evaluated().refusal
  error?.pointee = refusal.map(evaluationError)
  return refusal == nil
}

/// Evaluates certificates on a queue.
///
/// - Parameter result: Called once on the queue, with the result of ``SecTrustEvaluateWithError(_:_:)``.
/// - Returns: Always `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
  _ trust: SecTrust, _ queue: DispatchQueue,
  _ result: @escaping @Sendable (SecTrust, Bool, CFError?) -> Void
) -> OSStatus {
  queue.async {
    let refusal = trust.evaluated().refusal
    result(trust, refusal == nil, refusal.map(evaluationError))
  }
  return errSecSuccess
}

/// Evaluates certificates. This is the older form of ``SecTrustEvaluateWithError(_:_:)``.
///
/// - Parameter result: Receives ``SecTrustResultType/unspecified`` if the certificates are trusted, and
///   otherwise ``SecTrustResultType/recoverableTrustFailure``, ``SecTrustResultType/fatalTrustFailure`` if no
///   user may decide otherwise, or ``SecTrustResultType/invalid`` if they could not be evaluated.
/// - Returns: `errSecSuccess`, or `errSecNotAvailable` if the certificates could not be evaluated.
@discardableResult
public func SecTrustEvaluate(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  let evaluated = trust.evaluated()
  result.pointee = evaluated.result
  guard evaluated.result == .invalid, let refusal = evaluated.refusal else { return errSecSuccess }
  return FailureReasons.note(refusal).0
}

/// Gets the result of an evaluation, as ``SecTrustEvaluate(_:_:)`` does. Evaluates the certificates if they have
/// not been evaluated since the last change, or the result has aged. The call always returns `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(
  _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
  result.pointee = trust.evaluated().result
  return errSecSuccess
}

/// Returns the number of certificates in the chain: those of a trusted chain, and otherwise those that were
/// given.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex {
  trust.evaluated().chain.count
}

/// Returns a certificate of the chain, or nil if there are fewer.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
  let chain = trust.evaluated().chain
  return chain.indices.contains(index) ? chain[index] : nil
}

/// Returns the trusted chain from the certificate to its anchor, or the certificates that were given if they are
/// not trusted. That a chain is returned does not mean that it is trusted.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  trust.evaluated().chain as NSArray
}

/// Returns the public key of the certificate, whether it is trusted or not.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? {
  SecCertificateCopyKey(trust.certificate)
}

/// Returns the public key of the certificate. This is the older form of ``SecTrustCopyKey(_:)``.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { SecTrustCopyKey(trust) }

private func evaluationError(_ refusal: StatusError) -> CFError {
  let (status, reason) = FailureReasons.note(refusal)
  let underlying = NSError(
    domain: NSOSStatusErrorDomain, code: Int(status),
    userInfo: [NSLocalizedDescriptionKey: reason ?? ""])
  return NSError(
    domain: NSOSStatusErrorDomain, code: Int(status),
    userInfo: [NSLocalizedDescriptionKey: reason ?? "", NSUnderlyingErrorKey: underlying])
}

extension SecTrust {
  /// The result of an evaluation.
  struct Evaluated: Sendable {
    let result: SecTrustResultType
    /// The trusted chain, or else the certificates that were given.
    let chain: [SecCertificate]
    let refusal: StatusError?
    /// The time at which the result holds.
    let period: Range<Date>

    /// True if the result still holds, as in Apple's sources (SecTrust.c 1689 to 1716).
    func holds(at now: Date, for verifyDate: Date?) -> Bool {
      // The time that passes says nothing about another one for which the certificates were evaluated.
      if let verifyDate, abs(verifyDate.timeIntervalSince(now)) > SecTrust.leeway { return true }
      return period.contains(now)
    }
  }

  /// A result holds for an hour and a quarter (SecTrustPriv.h 44).
  static let leeway: TimeInterval = 4500

  /// Returns the time at which a result holds: until the next certificate of the chain ends, and for
  /// ``leeway`` at most (SecTrustServer.c 1231 to 1291).
  private static func period(of chain: [SecCertificate], from now: Date) -> Range<Date> {
    let ends = chain.map(\.validity.notAfter).filter { $0 > now }
    let begins = chain.map(\.validity.notBefore).filter { $0 < now }
    let (first, last) = (now.addingTimeInterval(-leeway), now.addingTimeInterval(leeway))
    return begins.reduce(first, max)..<ends.reduce(last, min)
  }

  /// Returns the result of the evaluation. Evaluates if something has changed since the last time, or the
  /// result has aged.
  func evaluated() -> Evaluated {
    let now = DefaultKeychain.now
    let (state, evaluator) = (self.state.withLock { $0 }, Self.evaluator.withLock { $0 })
    if let last = state.evaluated, last.holds(at: now, for: state.verifyDate) { return last }
    let evaluated: Evaluated
    do {
      let request = try state.request(now)
      guard let evaluator else { throw Self.unavailable }
      let chain = try Self.wait { try await evaluator.chain(for: request) }
      try request.check(chain)
      evaluated = Evaluated(
        result: .unspecified, chain: chain, refusal: nil,
        period: Self.period(of: chain, from: now))
    } catch let refusal as TrustRefusal where refusal.status != errSecSuccess {
      evaluated = Evaluated(
        result: refusal.isFatal ? .fatalTrustFailure : .recoverableTrustFailure,
        chain: state.certificates, refusal: StatusError(refusal.status, refusal.reason),
        period: Self.period(of: state.certificates, from: now))
    } catch {
      let refusal =
        error as? StatusError
        ?? StatusError(errSecNotAvailable, "The evaluation was not completed: \(error)")
      // The next call tries again.
      return Evaluated(
        result: .invalid, chain: state.certificates, refusal: refusal, period: now..<now)
    }
    self.state.withLock { if $0.version == state.version { $0.evaluated = evaluated } }
    return evaluated
  }

  /// Waits for an asynchronous function, which runs on threads of its own. A caller may occupy one of the few
  /// threads that all tasks share, and if all of them waited here, nothing would go on.
  private static func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let answer = Answer<Result>()
    Task.detached(executorPreference: EvaluationExecutor.shared) {
      do {
        answer.give(.success(try await body()))
      } catch {
        answer.give(.failure(error))
      }
    }
    return try answer.wait()
  }
}

/// The threads of evaluations.
private final class EvaluationExecutor: TaskExecutor {
  static let shared = EvaluationExecutor()
  private let queue = DispatchQueue(label: "AtRest.SecTrust", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// The answer of an asynchronous function, for which one thread waits.
private final class Answer<Value: Sendable>: @unchecked Sendable {
  // The semaphore orders the accesses: `value` is written before it is signalled, and read after it.
  private let done = DispatchSemaphore(value: 0)
  private var value: Result<Value, any Error>?

  func give(_ value: Result<Value, any Error>) {
    self.value = value
    done.signal()
  }

  func wait() throws -> Value {
    done.wait()
    guard let value else { throw SecTrust.unavailable }
    return try value.get()
  }
}

extension SecTrust.State {
  /// Returns the request for the evaluator.
  ///
  /// - Throws: ``StatusError`` with `errSecNotAvailable` for a policy that no evaluator is asked about.
  fileprivate func request(_ now: Date) throws -> TrustRequest {
    TrustRequest(
      certificate: certificates[0], intermediates: Array(certificates.dropFirst()),
      anchors: anchors ?? [], usesSystemAnchors: !anchorsOnly,
      date: verifyDate ?? now, purposes: try policies.map { try $0.purpose() })
  }
}

extension TrustRequest {
  /// Checks the shape of an evaluator's answer.
  fileprivate func check(_ chain: [SecCertificate]) throws {
    guard chain.first == certificate, let last = chain.last else {
      throw StatusError(
        errSecNotAvailable, "The evaluator returned the chain of another certificate.")
    }
    guard usesSystemAnchors || anchors.contains(last) else {
      throw StatusError(errSecNotAvailable, "The evaluator's chain ends with none of the anchors.")
    }
  }
}

extension SecPolicy {
  /// - Throws: ``StatusError`` with `errSecNotAvailable` for a policy that cannot be evaluated.
  fileprivate func purpose() throws -> TrustRequest.Purpose {
    let identifier = properties[kSecPolicyOid as String] as? String ?? ""
    let known = [kSecPolicyOid, kSecPolicyName, kSecPolicyClient].map { $0 as String }
    let others = properties.allKeys.compactMap { $0 as? String }.filter { !known.contains($0) }
    let client = properties[kSecPolicyClient as String]
    let isClient = client as? NSNumber
    let name = properties[kSecPolicyName as String]
    guard others.isEmpty, client == nil || isClient?.isBoolean == true,
      name == nil || name is String
    else {
      throw Self.unknown("\(identifier), with the properties it has,")
    }
    if identifier == kSecPolicyAppleX509Basic as String, name == nil, client == nil {
      return .any
    }
    guard identifier == kSecPolicyAppleSSL as String else { throw Self.unknown(identifier) }
    return isClient?.boolValue == true ? .client(name as? String) : .server(name as? String)
  }

  private static func unknown(_ policy: String) -> StatusError {
    StatusError(
      errSecNotAvailable,
      "The policy \(policy) cannot be evaluated. Only those for X.509 and TLS can.")
  }
}
