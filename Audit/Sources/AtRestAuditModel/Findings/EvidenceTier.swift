/// How strong the evidence is that a value is what a finding takes it for.
public enum EvidenceTier: String, CaseIterable, Codable, Comparable, Sendable {
  /// An operation shows what the value is, such as the text of a secure field, and the code shows
  /// that the value arrives.
  case proved = "A"
  /// A name, and a use or a form that is independent of the name.
  case witnessed = "B"
  /// One name or caption, and nothing else.
  case named = "C"

  /// True if the left tier is the weaker one.
  public static func < (left: Self, right: Self) -> Bool { left.rawValue > right.rawValue }

  /// The tier in words, for reports.
  public var explanation: String {
    switch self {
    case .proved: "an operation shows what the value is"
    case .witnessed: "a name, and a use or a form that is independent of the name"
    case .named: "a name or a caption alone"
    }
  }

  /// The tier on SARIF's scale of priorities, 0 to 100.
  public var rank: Double {
    switch self {
    case .proved: 95
    case .witnessed: 80
    case .named: 40
    }
  }
}
