/// A place in the vault: its name, what it holds, and how that is classified.
///
/// ```swift
/// extension Record where Value == Card {
///   static var card: Record { Record("card", .paymentCard, keep: .days(365)) }
/// }
/// try account.store(card, in: .card)
/// let card = try account.value(in: .card)
/// ```
///
/// `Data` and `String` are stored as they are, other types as JSON.
public struct Record<Value: Codable & Sendable>: Sendable, Hashable {
  /// The name, 1 to 512 bytes of UTF-8; one value in a compartment has it.
  public let name: String
  /// What the value is.
  public let classification: Classification
  /// How long it is kept; nil: as its kind says.
  public let retention: Retention?

  /// Makes a place for a value.
  ///
  /// - Parameters:
  ///   - subject: Whose data it is.
  ///   - people: How many people it is about.
  ///   - atLeast: Raises the sensitivity above what follows from the rest.
  ///   - retention: How long it is kept; nil: as the kind says.
  public init(
    _ name: String, _ kind: DataKind, of subject: DataSubject = .owner, people: Int = 1,
    atLeast: Sensitivity? = nil, keep retention: Retention? = nil
  ) {
    self.name = name
    classification = Classification(kind, of: subject, people: people, atLeast: atLeast)
    self.retention = retention
  }
}
