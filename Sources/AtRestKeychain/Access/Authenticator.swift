import AtRestCrypto
import Foundation

/// An interface to the user that asks for the passcode, for biometry, or for an application
/// password.
///
/// Methods may block for as long as the user takes. The asynchronous calls of ``Keychain`` run them
/// off the caller's actor; the synchronous calls run them on the caller's thread.
///
/// - Throws: Each method throws ``AtRestError/Code/canceled`` if the user dismisses the prompt. The
///   method for biometry also throws ``AtRestError/Code/passcodePreferred`` if the user prefers the
///   passcode.
public protocol Authenticator: Sendable {
  /// The biometry of the device, and its current enrolment.
  var biometry: BiometryState { get }
  /// Asks for the device passcode. The keychain checks it.
  func passcode(for request: AuthenticationRequest) throws -> SecretBytes
  /// Asks for a finger or face and returns true if it matched.
  func matchesBiometry(for request: AuthenticationRequest) throws -> Bool
  /// Asks for the item's application password. The keychain checks it.
  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes

  /// The kind of biometry reader, or nil if the device has no reader. The default is
  /// ``BiometryKind/touchID`` if biometry is enrolled, and nil otherwise.
  ///
  /// Without a reader, items that require biometry are refused. Return the kind if the device has a
  /// reader on which nothing is enrolled yet.
  var biometryKind: BiometryKind? { get }
  /// True if biometry failed so often that the passcode is required first. The default is false.
  var isBiometryLockedOut: Bool { get }
  /// The time at which the device was last unlocked by biometry, or nil if it is unknown. The
  /// default is nil.
  var lastBiometricUnlock: Date? { get }
  /// Called after the user has entered the correct passcode. End a biometric lockout.
  func passcodeMatched()
}

extension Authenticator {
  public var biometryKind: BiometryKind? { biometry == .unavailable ? nil : .touchID }
  public var isBiometryLockedOut: Bool { false }
  public var lastBiometricUnlock: Date? { nil }
  public func passcodeMatched() {}
}
