import AtRestAuditModel
import AtRestFormats

/// Folds findings that say the same of one file many times: the passwords of a table, or each use
/// of one shared container.
enum Repetitions {
  /// The number of literals that make a table.
  private static let table = 5
  /// The rules that make an inventory, in which one entry a file is enough.
  private static let inventories: Set<RuleID> = [.sharedContainer, .ipcInventory]

  /// Returns the findings, of which the first stands for those that say the same of its file.
  ///
  /// - Parameter findings: The findings in order.
  static func folded(_ all: [Finding]) -> [Finding] {
    var places: Set<Place> = []
    let findings = all.filter {
      places.insert(Place(key: Key($0), line: $0.location.start.line)).inserted
    }
    let groups = Dictionary(grouping: findings.indices) { Key(findings[$0]) }
    return findings.indices.compactMap { index in
      let finding = findings[index]
      let group = groups[Key(finding)] ?? []
      let limit =
        inventories.contains(finding.rule)
        ? 2 : [.hardcodedCredential, .hardcodedKey].contains(finding.rule) ? table : .max
      guard group.count >= limit else { return finding }
      guard index == group.first else { return nil }
      return Finding(
        rule: finding.rule, severity: finding.severity, location: finding.location,
        message: finding.message.dropLast() + ", \(group.count) times in this file.",
        trail: finding.trail, anchor: finding.anchor, exhibit: finding.exhibit,
        secrets: group.flatMap { findings[$0].secrets })
    }
  }

  private struct Place: Hashable {
    let key: Key
    let line: Int
  }

  private struct Key: Hashable {
    let rule: RuleID
    let path: String
    let message: String

    init(_ finding: Finding) {
      rule = finding.rule
      path = finding.location.path
      message = finding.message
    }
  }
}
