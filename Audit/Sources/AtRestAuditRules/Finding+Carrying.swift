import AtRestAuditModel

extension [Finding] {
  /// Returns these findings with the secrets of others that were dropped, because what was dropped
  /// can be on the same line as what was kept. Each secret is given to a finding of its rule.
  func carrying(secretsOf all: [Finding]) -> [Finding] {
    guard all.count > count else { return self }
    let kept = Set(flatMap(\.secrets))
    var lost: [RuleID: [Finding.Secret]] = [:]
    for finding in all {
      lost[finding.rule, default: []] += finding.secrets.filter { !kept.contains($0) }
    }
    return map { finding in
      guard let secrets = lost.removeValue(forKey: finding.rule), !secrets.isEmpty else {
        return finding
      }
      return finding.with(secrets: finding.secrets + secrets)
    }
  }
}
