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

/// What is said of a value: its kind, whose it is, and how many people's.
public struct Classification: Sendable, Hashable {
  /// What it is.
  public var kind: DataKind
  /// Whose data it is.
  public var subject: DataSubject
  /// How many people it is about.
  public var people: Int
  /// Raises the sensitivity above what follows from the rest; nothing lowers it.
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
    case (.owner, ...1): "a \(kind) of the owner's"
    case (_, ...1): "a \(kind) of somebody else's"
    default: "a \(kind) of \(people) people"
    }
  }
}
