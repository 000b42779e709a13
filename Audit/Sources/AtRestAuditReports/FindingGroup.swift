import AtRestAuditModel
import AtRestFormats

/// Findings that are one problem: those of one rule in one column of a container, or in one file of
/// code.
struct FindingGroup {
  /// The findings, at least one.
  private(set) var findings: [Finding]

  /// The number of findings that reports show as examples.
  static let examples = 3

  var first: Finding { findings[0] }
  var rule: RuleID { first.rule }
  var severity: Severity { first.severity }
  /// The findings beyond the examples.
  var rest: ArraySlice<Finding> { findings.dropFirst(Self.examples) }

  /// Returns the findings in groups, the most severe first. The order is that of the findings
  /// otherwise.
  static func groups(of findings: some Sequence<Finding>) -> [FindingGroup] {
    var groups: [FindingGroup] = []
    var indices: [Key: Int] = [:]
    for finding in findings {
      let key = Key(finding)
      if let index = indices[key] {
        groups[index].findings.append(finding)
      } else {
        indices[key] = groups.count
        groups.append(FindingGroup(findings: [finding]))
      }
    }
    return Severity.allCases.reversed().flatMap { severity in
      groups.filter { $0.severity == severity }
    }
  }

  private struct Key: Hashable {
    let severity: Severity
    let rule: RuleID
    let path: String
    let column: [String]?

    init(_ finding: Finding) {
      severity = finding.severity
      rule = finding.rule
      path = finding.location.path
      column = finding.exhibit?.column
    }
  }
}

extension AuditReport {
  /// The findings that are not joined with others, in groups, the most severe first.
  var groups: [FindingGroup] {
    let joined = joinedFindings
    return FindingGroup.groups(of: findings.filter { !joined.contains($0) })
  }
}

extension SourceLines {
  /// The file, and the column for findings in a container: `Bank/a.db › users.token`.
  func place(of group: FindingGroup) -> String {
    let steps = group.first.exhibit?.column.map { masked($0, of: group.first) } ?? []
    return ([group.first.location.path] + steps.prefix(12))
      .map { Display.safe(Display.cut($0, 300)) }.joined(separator: " › ")
  }
}
