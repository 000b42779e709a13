import AtRestKeychain

extension LAPolicy {
  /// Returns the error with which a device cannot evaluate the policy now, or nil if it can.
  func refusal(by reading: AuthenticationEnvironment.Reading) -> LAError? {
    switch self {
    case .deviceOwnerAuthenticationWithBiometrics,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      if reading.biometryKind == nil {
        LAError(.biometryNotAvailable, "The device does not support biometry.")
      } else if !reading.hasPasscode {
        LAError(.passcodeNotSet, "No passcode is set.")
      } else if reading.biometry == .unavailable {
        LAError(.biometryNotEnrolled, "No finger or face is enrolled.")
      } else if reading.isBiometryLockedOut {
        LAError(
          .biometryLockout, "Biometry is locked after too many failures. Use the passcode.")
      } else {
        nil
      }
    case .deviceOwnerAuthentication:
      if !reading.hasPasscode {
        LAError(.passcodeNotSet, "No passcode is set.")
      } else if !reading.canAsk {
        LAError(
          .notInteractive, "The keychain has no authenticator that can ask for the passcode.")
      } else {
        nil
      }
    case .deviceOwnerAuthenticationWithCompanion:
      LAError(.companionNotAvailable, "This platform does not support companion devices.")
    }
  }
}
