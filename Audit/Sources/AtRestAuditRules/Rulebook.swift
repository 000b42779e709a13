import AtRestAuditModel

/// The rules, by which all else is judged.
public enum Rulebook {
  /// Every rule, those of one subject together.
  public static let all: [Rule] = [
    keychain, biometry, storage, files, databases, caches, secrets, cryptography, interface,
    sharing, project, containers,
  ].flatMap(\.self)

  package static func severity(of rule: RuleID) -> Severity { severities[rule] ?? .medium }

  private static let severities = Dictionary(
    all.map { ($0.id, $0.severity) }, uniquingKeysWith: { first, _ in first })
}
