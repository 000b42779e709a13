/// The result of a check, in words.
public struct RuntimeFinding: Hashable, Sendable, Codable {
  /// The outcome of a check.
  public enum Outcome: String, Sendable, Codable {
    /// The check found nothing.
    case clear
    /// The check found the problem that ``RuntimeFinding/message`` describes.
    case found
    /// The check could not be made, for the reason in ``RuntimeFinding/message``. It never counts
    /// as passed.
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

  /// The check with this result. A check may have several findings.
  public let check: RuntimeCheck
  /// The outcome of the check.
  public let outcome: Outcome
  /// The problem, or the reason why the check could not be made, as a sentence.
  public let message: String
  /// The severity of the finding.
  public let severity: Severity
  /// The remedy, as a sentence. Empty if there is nothing to do.
  public let remedy: String

  /// Creates a finding. Applications can use it for checks of their own.
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
