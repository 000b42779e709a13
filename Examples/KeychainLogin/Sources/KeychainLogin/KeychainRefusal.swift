import Foundation
import Security

/// The reason why the keychain returned no item. An application reacts to each case differently.
public enum KeychainRefusal: Error, Hashable {
  /// There is no item. Only in this case may the application create a new one.
  case notFound
  /// There may be an item, but the phone is locked or has not been unlocked since it started. Try
  /// again later.
  case locked
  /// The user dismissed the prompt.
  case canceled
  /// The user was not recognized, or the enrolled fingers or faces have changed.
  case notRecognized
  /// The stored item cannot be read.
  case damaged
  /// Any other status, which is most likely a mistake in the application.
  case other(OSStatus)

  init(_ status: OSStatus) {
    self =
      switch status {
      case errSecItemNotFound: .notFound
      case errSecInteractionNotAllowed: .locked
      case errSecUserCanceled: .canceled
      case errSecAuthFailed: .notRecognized
      case errSecDecode: .damaged
      default: .other(status)
      }
  }

  static func check(_ status: OSStatus) throws {
    guard status == errSecSuccess else { throw KeychainRefusal(status) }
  }
}

extension KeychainRefusal: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .notFound: "You are not logged in."
    case .locked: "Unlock your phone first."
    case .canceled: nil
    case .notRecognized: "You were not recognized, or your fingers have changed. Log in again."
    case .damaged: "Your login cannot be read. Log in again."
    case .other(let status): SecCopyErrorMessageString(status, nil).map { $0 as String }
    }
  }
}
