/// What reads biometry.
public enum LABiometryType: Int, Sendable {
  /// Nothing.
  case none = 0
  /// Fingers.
  case touchID = 1
  /// Faces.
  case faceID = 2
  /// Irises.
  case opticID = 4
}
