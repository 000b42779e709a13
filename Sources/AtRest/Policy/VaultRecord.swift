/// A place for one value in the vault, with a name, the value's type and its classification.
///
/// ```swift
/// extension VaultRecord where Value == Card {
///   static var card: VaultRecord { VaultRecord("card", .paymentCard, keep: .days(365)) }
/// }
/// try account.store(card, in: .card)
/// let card = try account.value(in: .card)
/// ```
///
/// `Data` and `String` are stored as they are, other types as JSON.
public struct VaultRecord<Value: Codable & Sendable>: Sendable, Hashable {
  /// The name, 1 to 512 bytes of UTF-8. In a compartment, records with the same name refer to the
  /// same value.
  public let name: String
  /// The classification of the value.
  public let classification: Classification
  /// The retention of the value, or nil for the retention of its kind.
  public let retention: Retention?
  /// False if the value holds no password although the record's name or a field announces one. If
  /// nil, the names decide. If true, the value is refused.
  public let isPassword: Bool?

  /// Creates a place for a value.
  ///
  /// - Parameters:
  ///   - subject: The people whose data the value contains.
  ///   - people: The number of people whose data the value contains.
  ///   - atLeast: A minimum sensitivity.
  ///   - retention: The retention, or nil for the retention of the kind.
  ///   - isPassword: False for a value that holds no password although a name announces one.
  public init(
    _ name: String, _ kind: DataKind, of subject: DataSubject = .owner, people: Int = 1,
    atLeast: Sensitivity? = nil, keep retention: Retention? = nil, isPassword: Bool? = nil
  ) {
    self.name = name
    classification = Classification(kind, of: subject, people: people, atLeast: atLeast)
    self.retention = retention
    self.isPassword = isPassword
  }
}
