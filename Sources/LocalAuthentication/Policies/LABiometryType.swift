/// The kind of biometry that a device supports.
public enum LABiometryType: Int, Sendable {
  /// No biometry.
  case none = 0
  /// Touch ID, which recognizes fingers.
  case touchID = 1
  /// Face ID, which recognizes faces.
  case faceID = 2
  /// Optic ID, which recognizes irises.
  case opticID = 4
}
