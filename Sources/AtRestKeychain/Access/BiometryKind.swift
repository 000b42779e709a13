/// The kinds of biometry readers.
public enum BiometryKind: Sendable, CaseIterable {
  /// A fingerprint reader.
  case touchID
  /// A face reader.
  case faceID
  /// An iris reader.
  case opticID
}
