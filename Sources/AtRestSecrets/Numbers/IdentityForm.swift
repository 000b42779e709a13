/// The form of the numbers by which a state identifies persons.
public struct IdentityForm: Sendable {
  /// The country and the name of the number, for messages.
  public let name: String
  /// The ways to write the number.
  public let templates: [Template]
  /// The rule of its check digits, or nil if the number has none.
  public let check: String?
  /// Words in lower case that announce the number.
  public let words: [String]
  /// The document that describes the number.
  public let source: String
  let isValid: @Sendable ([UInt8]) -> Bool

  /// A way to write a number.
  public struct Template: Sendable {
    /// `9` stands for a digit, `A` for a capital letter, `*` for either, anything else for itself.
    public let pattern: String
    /// The strength of a text of this form as evidence.
    public let strength: Strength
    let bytes: [UInt8]

    init(_ pattern: String, _ strength: Strength) {
      self.pattern = pattern
      self.strength = strength
      bytes = Array(pattern.utf8)
    }
  }

  /// The strength of a text of the form as evidence for the number.
  public enum Strength: Int, Comparable, Sendable {
    /// Only a word beside it makes it the number.
    case none
    /// Other numbers have the form and the check digits too.
    case weak
    /// Form and check digits are rare in other text.
    case strong

    public static func < (left: Strength, right: Strength) -> Bool {
      left.rawValue < right.rawValue
    }
  }
}
