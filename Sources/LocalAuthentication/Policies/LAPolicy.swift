import AtRestKeychain

/// What the user has to show.
public enum LAPolicy: Int, Sendable {
  /// A finger or face.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger or face, or the passcode.
  case deviceOwnerAuthentication = 2
  /// A watch or phone nearby, of which there is none away from Apple's platforms.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or face, there being no companion.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4

  /// The former name of ``deviceOwnerAuthenticationWithCompanion``.
  public static let deviceOwnerAuthenticationWithWatch =
    LAPolicy.deviceOwnerAuthenticationWithCompanion
  /// The former name of ``deviceOwnerAuthenticationWithBiometricsOrCompanion``.
  public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
    LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion

  var requirement: AccessControl.Requirement {
    self == .deviceOwnerAuthentication ? .userPresence : .biometry(.any)
  }
}
