/// The harm that the loss or leak of a value does. It determines the store, the class and the key.
///
/// ``DataKind`` lists the sensitivity of each kind of data.
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

/// The people whose data a value contains.
public enum DataSubject: String, Sendable, Codable, CaseIterable {
  /// Data of the device's owner only.
  case owner
  /// Data of other people, or of the owner and other people.
  case others
}

/// The classification of a value: its kind, whose data it is, and how many people it concerns.
public struct Classification: Sendable, Hashable {
  /// The kind of data.
  public var kind: DataKind
  /// The people whose data it is.
  public var subject: DataSubject
  /// The number of people whose data the value contains.
  public var people: Int
  /// A minimum sensitivity. It raises the sensitivity that follows from the other properties, and
  /// never lowers it.
  public var atLeast: Sensitivity?

  /// Classifies a value.
  public init(
    _ kind: DataKind, of subject: DataSubject = .owner, people: Int = 1,
    atLeast: Sensitivity? = nil
  ) {
    self.kind = kind
    self.subject = subject
    self.people = people
    self.atLeast = atLeast
  }

  var words: String {
    switch (subject, people) {
    case (.owner, ...1): "a \(kind) of the owner"
    case (_, ...1): "a \(kind) of another person"
    default: "a \(kind) of \(people) people"
    }
  }
}
