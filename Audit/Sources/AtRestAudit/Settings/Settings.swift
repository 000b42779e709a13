import AtRestAuditModel

/// The settings of a project, as read from `.atrest-audit.yml`.
public struct Settings: Sendable {
  /// The least severity of a finding that makes the audit fail. With nil, no finding makes it
  /// fail.
  public var failOn: Severity? = .medium
  /// True if a file that could not be read makes the audit fail.
  public var isStrict = false
  /// The severities of rules that differ from the rulebook. A rule with the value nil is off.
  public var severities: [RuleID: Severity?] = [:]
  /// The rules to use. If there are none, all rules are used.
  public var onlyRules: Set<RuleID> = []
  /// The globs of files that are left out.
  public var exclude: [Glob] = []
  /// The globs of files that are read, whatever the other settings say.
  public var include: [Glob] = []
  public var includesVendored = false
  public var includesGenerated = false
  public var includesTests = false
  /// The path of the baseline, relative to the folder of the settings.
  public var baseline: String?
  /// The path of a folder or zip of advisories, relative to the folder of the settings.
  public var advisories: String?
  /// The words that name sensitive values in the project.
  public var sensitiveNames: [String: SensitiveKind] = [:]
  /// The words that look sensitive and are not.
  public var harmlessNames: Set<String> = []
  /// The answers to the checklist by the identifiers of the questions.
  public var checklist: [String: String] = [:]

  /// Creates the settings of a project that has no settings file.
  public init() {}

  /// The name of the settings file of a project.
  public static let fileName = ".atrest-audit.yml"

  /// The severity with which a finding is reported, or nil if its rule is off.
  func severity(of finding: Finding) -> Severity? {
    if !onlyRules.isEmpty, !onlyRules.contains(finding.rule) { return nil }
    return severities[finding.rule] ?? finding.severity
  }

  /// Returns true if the rule is used.
  package func uses(_ rule: RuleID) -> Bool {
    if !onlyRules.isEmpty, !onlyRules.contains(rule) { return false }
    if let severity = severities[rule] { return severity != nil }
    return true
  }
}
