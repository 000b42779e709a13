import AtRestCrypto
import Foundation

/// Returns the reason of the last failure on this thread that this module explains.
///
/// Ask at once: a call that succeeds keeps the reason of an earlier failure, and after an `await` the
/// code may run on another thread.
///
/// A status says what kind of failure it is, and the reason says which key, value, access group or
/// item caused it. Most failures with `errSecParam` have one.
///
/// ```swift
/// let status = SecItemAdd(item as CFDictionary, nil)
/// if status != errSecSuccess {
///   let reason = SecCopyFailureReasonString(status) ?? SecCopyErrorMessageString(status, nil)
///   print("SecItemAdd: \(status). \(reason ?? "")")
/// }
/// ```
///
/// Apple's framework does not have this function. The reason contains attributes, but no secrets. It
/// is meant for developers, and its text may change. The log of `Keychain.logger` at debug level
/// and the calls of a simulated device contain the same text.
///
/// - Parameter status: The status that the call returned.
/// - Returns: The reason, or nil if no call on this thread returned this status, or none with a
///   reason.
public func SecCopyFailureReasonString(_ status: OSStatus) -> CFString? {
  FailureReasons.last(status) as NSString?
}

/// The last failure of each thread.
enum FailureReasons {
  private static let key = "atrest.security.failure"
  private final class Failure {
    let status: OSStatus
    let reason: String?
    init(_ status: OSStatus, _ reason: String?) { (self.status, self.reason) = (status, reason) }
  }

  /// Remembers an error for this thread.
  ///
  /// - Returns: The status of the error, and its reason if it has one.
  static func note(_ error: any Error) -> (OSStatus, String?) {
    let failure: Failure
    if let error = error as? StatusError {
      failure = Failure(error.status, error.message.isEmpty ? nil : error.message)
    } else {
      failure = Failure(OSStatus(of: error), (error as? AtRestError)?.description)
    }
    Thread.current.threadDictionary[key] = failure
    return (failure.status, failure.reason)
  }

  static func last(_ status: OSStatus) -> String? {
    guard let failure = Thread.current.threadDictionary[key] as? Failure,
      failure.status == status
    else { return nil }
    return failure.reason
  }
}
