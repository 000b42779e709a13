// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestSecKey
import Foundation
import Synchronization

/// Returns the reason of the last failure on this thread that this module explains.
///
/// Ask at once: the next call on the thread replaces or clears the reason, and after an `await` the code
/// may run on another thread.
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
  private final class Failure: @unchecked Sendable {
    let status: OSStatus
    let reason: String?
    /// Only ever read.
    weak var thread: Thread?

    init(_ status: OSStatus, _ reason: String?, _ thread: Thread) {
      (self.status, self.reason, self.thread) = (status, reason, thread)
    }
  }
  // A dictionary of the thread would take ten times as long, in each call.
  private static let failures = Mutex<[ObjectIdentifier: Failure]>([:])
  private static let count = Atomic(0)

  /// Remembers an error for this thread.
  ///
  /// - Returns: The status of the error, and its reason if it has one.
  static func note(_ error: any Error) -> (OSStatus, String?) {
    let thread = Thread.current
    let (status, reason): (OSStatus, String?)
    if let error = error as? StatusError {
      (status, reason) = (error.status, error.message.isEmpty ? nil : error.message)
    } else {
      (status, reason) = (OSStatus(of: error), (error as? AtRestError)?.description)
    }
    let failure = Failure(status, reason, thread)
    let place = ObjectIdentifier(thread)
    failures.withLock { failures in
      if failures[place] == nil { failures = failures.filter { $0.value.thread != nil } }
      failures[place] = failure
      count.store(failures.count, ordering: .relaxed)
    }
    return (status, reason)
  }

  /// Forgets the failure of this thread, after a call that succeeded.
  static func forget() {
    guard count.load(ordering: .relaxed) > 0 else { return }
    let place = ObjectIdentifier(Thread.current)
    failures.withLock { failures in
      failures[place] = nil
      count.store(failures.count, ordering: .relaxed)
    }
  }

  static func last(_ status: OSStatus) -> String? {
    let thread = Thread.current
    let failure = failures.withLock { [place = ObjectIdentifier(thread)] in $0[place] }
    guard let failure, failure.thread === thread, failure.status == status else { return nil }
    return failure.reason
  }
}
