import AtRestKeychain
import Foundation

/// The authentication that a ``LARight`` requires.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  let requirement: AccessControl.Requirement
  /// The name under which a right is stored.
  let name: String

  private init(_ requirement: AccessControl.Requirement, _ name: String) {
    self.requirement = requirement
    self.name = name
  }

  /// Biometry or the passcode.
  public static let `default` = LAAuthenticationRequirement(.userPresence, "default")
  /// Biometry, with any finger or face that is enrolled.
  public static let biometry = LAAuthenticationRequirement(.biometry(.any), "biometry")
  /// Biometry, with a finger or face that was enrolled when the right was saved.
  public static let biometryCurrentSet = LAAuthenticationRequirement(
    .biometry(.currentSet), "biometry-current-set")

  /// Returns the requirement of biometry, or of something else if biometry fails.
  public static func biometry(
    fallback: LABiometryFallbackRequirement
  ) -> LAAuthenticationRequirement {
    LAAuthenticationRequirement(.devicePasscodeOr(.any), "biometry-or-passcode")
  }

  static func named(_ name: String) -> LAAuthenticationRequirement? {
    [.default, .biometry, .biometryCurrentSet, biometry(fallback: .default)].first {
      $0.name == name
    }
  }
}

/// The authentication that replaces biometry.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  /// The passcode.
  public static let `default` = LABiometryFallbackRequirement()
  /// The passcode.
  public static let devicePasscode = LABiometryFallbackRequirement()
}
