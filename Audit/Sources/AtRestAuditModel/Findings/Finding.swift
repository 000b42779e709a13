import AtRestFormats

/// Something stored, logged, shown or shared unprotected, and where.
public struct Finding: Hashable, Sendable {
  /// The identifier of the rule: `userdefaults-sensitive`.
  public let rule: RuleID
  public let severity: Severity
  public let location: Location
  /// What is wrong here, in one sentence that names what was found.
  public let message: String
  /// How the value came here, from its origin on; empty if that is plain from the location.
  public let trail: [Step]
  /// What stands here that two findings of one rule in one file differ by, whatever line they are on: the
  /// code with its blanks folded.
  public let anchor: String
  /// What was found in a container, where it lies within its file; nothing for code.
  public let exhibit: Exhibit?
  /// Where secrets stand in the files that were audited, of which reports show no more than the beginning:
  /// literals of code, values of other files. Those of a container are in its exhibit.
  public let secrets: [Location]

  public init(
    rule: RuleID, severity: Severity, location: Location, message: String, trail: [Step] = [],
    anchor: String, exhibit: Exhibit? = nil, secrets: [Location] = []
  ) {
    self.rule = rule
    self.severity = severity
    self.location = location
    self.message = message
    self.trail = trail
    self.anchor = anchor
    self.exhibit = exhibit
    self.secrets = secrets
  }

  /// One step of a value on its way.
  public struct Step: Hashable, Codable, Sendable {
    public let location: Location
    public let message: String

    public init(_ location: Location, _ message: String) {
      self.location = location
      self.message = message
    }
  }
}

/// How bad it is if nothing is done.
public enum Severity: String, CaseIterable, Codable, Comparable, Hashable, Sendable {
  /// To be known, not to be mended: an inventory.
  case note
  /// Defence in depth is missing.
  case low
  /// A secret may lie open to who has the device, a backup or the logs.
  case medium
  /// A secret lies open.
  case high

  public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
