/// How much harm the loss or leak of a value does: decides store, class and key.
///
/// See ``DataKind`` for what falls into which.
public enum Sensitivity: Int, Sendable, Codable, CaseIterable, Comparable, CustomStringConvertible {
  /// Data of the device's owner that an application needs to work: settings, tickets, bookings.
  case consumerGrade
  /// What puts others at risk: shared secrets, personal data of people who do not own the device.
  case sensitive
  /// Payment data, health, biometrics and other special categories of personal data, whoever's.
  case highlySensitive

  public static func < (a: Sensitivity, b: Sensitivity) -> Bool { a.rawValue < b.rawValue }

  public var description: String {
    switch self {
    case .consumerGrade: "consumer grade"
    case .sensitive: "sensitive"
    case .highlySensitive: "highly sensitive"
    }
  }
}

/// Whose data a value is.
public enum DataSubject: String, Sendable, Codable, CaseIterable {
  /// Of the device's owner alone.
  case owner
  /// Of somebody else, or of the owner and others.
  case others
}
