import AtRestAuditModel

/// The result of a test of the MASTG.
enum MASVSResult {
  case found([Finding])
  case clean
  /// The test was not done or can not be done here, with the reason.
  case unchecked(String)

  /// - Parameter isUsed: Returns true for a rule that the audit used.
  init(
    of test: MASVSTest, in report: AuditReport, _ rules: [Rule], isUsed: (RuleID) -> Bool
  ) {
    // What a rule for code finds is no result of a test on a device.
    let rules = rules.filter {
      $0.references.mastg.contains(test.id) && test.means != .device
        && (test.means == .code || $0.subject == .container)
    }
    let used = rules.filter { isUsed($0.id) }
    let found = report.findings.filter { finding in used.contains { $0.id == finding.rule } }
    guard found.isEmpty else {
      self = .found(found)
      return
    }
    self =
      if test.means == .device {
        .unchecked("Needs the app on a device.")
      } else if rules.isEmpty {
        .unchecked("No rule checks this. Check it by hand.")
      } else if used.isEmpty {
        .unchecked("The settings of this audit leave the rules out.")
      } else if test.means == .container, report.containers.isEmpty {
        .unchecked("Needs what the app left on a device: --container.")
      } else if test.means == .code, !report.hasSources,
        !used.contains(where: { $0.subject == .container })
      {
        .unchecked("Needs the sources of the app.")
      } else if test.control == .code3,
        report.leftOut.contains(where: { $0.reason == .dependencies })
      {
        .unchecked("Needs --advisories.")
      } else {
        .clean
      }
  }

  /// The result in words, such as `found: 2 high, 1 low`.
  func text(in report: AuditReport) -> String {
    switch self {
    case .found(let findings): "found: \(report.severities(of: findings))"
    case .clean: report.hasSources ? "checked, nothing found" : "nothing found in the container"
    case .unchecked(let why): "not checked. \(why)"
    }
  }
}

extension AuditReport {
  /// True if sources of the app were read, and not only what it left on a device.
  var hasSources: Bool {
    statistics.swiftLines + statistics.objectiveCLines > 0 || containers.isEmpty
  }
}
