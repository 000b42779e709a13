import AtRestCrypto
import Foundation

/// Refusing an access control that nobody could meet, before an item or a key is made with it.
extension AccessDecision {
  /// Refuses an access control that could never be met on this device.
  func checkAttainable(_ accessControl: AccessControl) throws {
    if accessControl.needsPasscode && !keybag.hasPasscode {
      throw AtRestError(
        .passcodeNotSet, "The item would require the passcode, but none is set.",
        remedy: "Set a passcode first.")
    }
    if accessControl.needsBiometry && !mayHaveBiometry { throw Self.noBiometry }
  }

  /// True if a finger or face is enrolled, or the device has a reader with which one can be.
  private var mayHaveBiometry: Bool {
    guard let authenticator else { return false }
    return authenticator.biometryKind != nil || authenticator.biometry != .unavailable
  }

  private static var noBiometry: AtRestError {
    AtRestError(
      .notPermitted, "The item would require biometry, but none is enrolled.",
      remedy: "Enrol biometry, or choose another access control.")
  }

  /// Returns the current enrolment, for an access control that is bound to it. The result is nil if
  /// the access control is not bound to the enrolment, or if no biometry is enrolled and the
  /// passcode is accepted instead.
  func enrolment(for accessControl: AccessControl?) throws -> Data? {
    guard accessControl?.biometry == .currentSet else { return nil }
    if case .enrolled(let now)? = authenticator?.biometry { return now }
    if case .devicePasscodeOr = accessControl?.requirement { return nil }
    throw Self.noBiometry
  }

  /// Derives the key of the box inside a secret box from the application password.
  func applicationKey(kdf: PasswordKDF, salt: Data) throws -> SealingKey {
    try SealingKey(
      kdf.deriveKey(from: applicationPassword().bytes, salt: salt).derive(.applicationPassword))
  }

  /// Opens a box that was sealed under the application password.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the password is wrong. The context then
  ///   forgets the password.
  func openWithApplicationPassword(
    _ payload: borrowing SecretBytes, kdf: PasswordKDF, salt: Data, name: String
  ) throws -> SecretBytes {
    let key = try applicationKey(kdf: kdf, salt: salt)
    do {
      return try key.open(Data(copying: payload), context: salt, name: name)
    } catch {
      context.remember(applicationPassword: nil)
      throw AtRestError(
        .authenticationFailed, "The application password is wrong.", remedy: "Try again.")
    }
  }
}
