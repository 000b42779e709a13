/// The degree of harm that the loss or leak of a value causes. For each degree, the policy has a
/// rule that determines the class, the key and the longest retention.
///
/// See ``DataKind`` for the sensitivity of each kind of data.
public enum Sensitivity: Int, Sendable, Codable, CaseIterable, Comparable, CustomStringConvertible {
  /// The device owner's own data that an application needs to work: settings, tickets, bookings.
  case consumerGrade
  /// Data that puts other people at risk: shared secrets, personal data of people who do not own
  /// the device.
  case sensitive
  /// Payment data, health, biometrics and other special categories of personal data, whoever they
  /// concern.
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
