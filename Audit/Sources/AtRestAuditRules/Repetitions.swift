import AtRestAuditModel
import AtRestFormats

/// Folds findings that say the same many times: the passwords of a table, each use of one shared
/// container, or a preference that is written in several places.
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
    var keys: Set<Key> = []
    let findings = withWeights(withoutPlainRealms(all)).filter { finding in
      let line = finding.location.start.line
      if finding.rule == .userDefaultsSensitive {
        // Several targets may declare one preference.
        let isDeclaration = finding.message.contains(" property wrapper")
        return places.insert(Place(key: Key(finding, message: ""), line: line)).inserted
          && (!isDeclaration || keys.insert(Key(finding, path: "")).inserted)
          && (!finding.message.contains("(the entry ") || keys.insert(Key(finding)).inserted)
      }
      if finding.rule == .coreDataUnprotected {
        // A record of a person has many attributes, and a place has two.
        let kind = ["Personal data", "A location"].first(where: finding.message.hasPrefix)
        return places.insert(Place(key: Key(finding, message: ""), line: line)).inserted
          && (kind.map { keys.insert(Key(finding, message: $0)).inserted } ?? true)
      }
      return places.insert(Place(key: Key(finding), line: line)).inserted
    }
    let groups = Dictionary(grouping: findings.indices) { Key(findings[$0]) }
    let folded = findings.indices.compactMap { index -> Finding? in
      let finding = findings[index]
      let group = groups[Key(finding)] ?? []
      let limit =
        inventories.contains(finding.rule)
        ? 2 : [.hardcodedCredential, .hardcodedKey].contains(finding.rule) ? table : .max
      guard group.count >= limit else { return finding }
      guard index == group.first else { return nil }
      return finding.with(
        // So many secrets are the data of something else.
        severity: group.count < 4 * table ? finding.severity : min(finding.severity, .medium),
        message: finding.message.dropLast() + ", \(group.count) times in this file.",
        secrets: group.flatMap { findings[$0].secrets })
    }
    return folded.carrying(secretsOf: all)
  }

  /// Returns the findings, of which those about IVs are low where the key is in the code, too: whoever
  /// has the key needs no weakness of the IV.
  private static func withWeights(_ findings: [Finding]) -> [Finding] {
    let open = Set(
      findings.filter {
        $0.rule == .hardcodedKey && $0.message.hasPrefix("The key of this cipher")
      }.map(\.location.path))
    guard !open.isEmpty else { return findings }
    return findings.map { finding in
      finding.rule == .staticIV && open.contains(finding.location.path)
        ? finding.with(severity: min(finding.severity, .low)) : finding
    }
  }

  /// Keeps one finding about the default Realm: none if a configuration is reported.
  private static func withoutPlainRealms(_ findings: [Finding]) -> [Finding] {
    func isOpening(_ finding: Finding, _ message: String) -> Bool {
      finding.rule == .realmUnencrypted && finding.message.hasPrefix(message)
    }
    var isKnown = findings.contains { isOpening($0, "A Realm is configured") }
    return findings.filter { finding in
      guard isOpening(finding, "The Realm is opened") else { return true }
      defer { isKnown = true }
      return !isKnown
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

    init(_ finding: Finding, path: String? = nil, message: String? = nil) {
      rule = finding.rule
      self.path = path ?? finding.location.path
      self.message = message ?? finding.message
    }
  }
}
