/// A result of a check, with a description for users.
public struct RuntimeFinding: Hashable, Sendable, Codable {
  /// The outcome of a check.
  public enum Outcome: String, Sendable, Codable {
    /// The check found no problem.
    case clear
    /// The check found the problem that ``RuntimeFinding/message`` describes.
    case found
    /// The check could not be made, for the reason in ``RuntimeFinding/message``. Such a check
    /// never counts as passed.
    case undetermined
    /// The check does not apply to this platform.
    case notApplicable
  }

  /// The severity of a finding.
  public enum Severity: Int, Sendable, Codable, Comparable, CaseIterable {
    /// The finding weakens the protection of the data.
    case low = 1
    /// The finding exposes data to others on this machine.
    case medium
    /// Someone may be reading the data now.
    case high

    public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }
  }

  /// The check that produced this finding. A check may produce several findings.
  public let check: RuntimeCheck
  /// The outcome of the check.
  public let outcome: Outcome
  /// The problem, or the reason why the check could not be made, as a sentence.
  public let message: String
  /// The severity of the finding.
  public let severity: Severity
  /// The remedy, as a sentence, or an empty string if there is nothing to do.
  public let remedy: String

  /// Creates a finding. Applications can create findings for their own checks.
  public init(
    _ check: RuntimeCheck, _ outcome: Outcome, _ message: String, severity: Severity = .low,
    remedy: String = ""
  ) {
    self.check = check
    self.outcome = outcome
    self.message = message
    self.severity = severity
    self.remedy = remedy
  }
}
