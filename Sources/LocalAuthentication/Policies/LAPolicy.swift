import AtRestKeychain

/// The authentication that the user has to pass.
public enum LAPolicy: Int, Sendable {
  /// Biometry is required.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// Biometry or the passcode is required.
  case deviceOwnerAuthentication = 2
  /// A watch or phone nearby is required. Platforms other than Apple's do not support this policy.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// Biometry is required. Apple's platforms also accept a watch or phone nearby, which other
  /// platforms do not support.
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
