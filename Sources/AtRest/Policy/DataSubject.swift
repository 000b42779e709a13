/// The people whose data a value contains.
public enum DataSubject: String, Sendable, Codable, CaseIterable {
  /// Data of the device's owner only.
  case owner
  /// Data of other people, or of the owner and other people.
  case others
}
