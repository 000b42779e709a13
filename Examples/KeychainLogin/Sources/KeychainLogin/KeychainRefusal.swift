import Foundation
import Security

/// Why the keychain gave nothing, as far as an application acts on it.
public enum KeychainRefusal: Error, Hashable {
  /// There is none. The only case in which a new one may be made.
  case notFound
  /// There may be one: the phone is locked, or was not unlocked since it started. Ask again later.
  case locked
  /// The user dismissed the prompt.
  case canceled
  /// The user showed something wrong, or who is enrolled is no longer who was.
  case notRecognized
  /// What is stored cannot be read.
  case damaged
  /// Anything else: a mistake of the application's, most likely.
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
    case .notRecognized: "That was not you, or your fingers changed. Log in again."
    case .damaged: "Your login cannot be read. Log in again."
    case .other(let status): SecCopyErrorMessageString(status, nil).map { $0 as String }
    }
  }
}
