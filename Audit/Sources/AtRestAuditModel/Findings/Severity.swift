import AtRestFormats

/// How serious a finding is if it is not fixed.
public enum Severity: String, CaseIterable, Codable, Comparable, Hashable, Sendable {
  /// A fact to know, as in an inventory. It needs no fix.
  case note
  /// Defence in depth is missing.
  case low
  /// A secret may be exposed to anyone who has the device, a backup or the logs.
  case medium
  /// A secret is exposed.
  case high

  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  /// The severity of the same problem where it matters less, as in an example. A note stays a note.
  package var lowered: Self {
    switch self {
    case .high: .medium
    case .medium, .low: .low
    case .note: .note
    }
  }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
