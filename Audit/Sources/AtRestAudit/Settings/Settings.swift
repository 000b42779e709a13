import AtRestAuditModel

/// What a project asks of its audit, as it stands in `.atrest-audit.yml`.
public struct Settings: Sendable {
  /// The least severity of a finding that makes the audit fail; `nil` if none does.
  public var failOn: Severity? = .medium
  /// Whether what could not be read makes the audit fail.
  public var isStrict = false
  /// The severity of a rule's findings where it is not the rule's own; `nil` inside if the rule is off.
  public var severities: [RuleID: Severity?] = [:]
  /// The rules that alone are used; all if empty.
  public var onlyRules: Set<RuleID> = []
  /// Files that are left out.
  public var exclude: [Glob] = []
  /// Files that are read whatever else is said.
  public var include: [Glob] = []
  public var includesVendored = false
  public var includesGenerated = false
  public var includesTests = false
  /// The path of the baseline, from the folder of the settings.
  public var baseline: String?
  /// The path of a folder or zip of advisories, from the folder of the settings.
  public var advisories: String?
  /// Words of the project that name sensitive values.
  public var sensitiveNames: [String: Sensitivity] = [:]
  /// Words of the project that do not, though they look so.
  public var harmlessNames: Set<String> = []
  /// Answers to the checklist, by the question's id.
  public var checklist: [String: String] = [:]

  public init() {}

  /// The name under which a project keeps its settings.
  public static let fileName = ".atrest-audit.yml"

  /// The severity under which a finding is reported; `nil` if its rule is off.
  func severity(of finding: Finding) -> Severity? {
    if !onlyRules.isEmpty, !onlyRules.contains(finding.rule) { return nil }
    return severities[finding.rule] ?? finding.severity
  }

  /// Whether a rule is used at all.
  func uses(_ rule: RuleID) -> Bool {
    if !onlyRules.isEmpty, !onlyRules.contains(rule) { return false }
    if let severity = severities[rule] { return severity != nil }
    return true
  }
}
