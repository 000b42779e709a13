import AtRestFormats

/// The severity of a finding if nothing is done.
public enum Severity: String, CaseIterable, Codable, Comparable, Hashable, Sendable {
  /// A fact to know that needs no fix, as in an inventory.
  case note
  /// Defence in depth is missing.
  case low
  /// A secret may be exposed to anyone who has the device, a backup or the logs.
  case medium
  /// A secret is exposed.
  case high

  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
