import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let backupExclusionReliedOn = RuleID("backup-exclusion-relied-on")
}

/// Exclusion from backups that is taken for protection.
enum BackupExclusionReliedOn: CodeRule {
  static let rule = Rule(
    .backupExclusionReliedOn, "Exclusion from backups that is taken for protection",
    severity: .low, level: .recommended,
    consequence:
      "A file that the system or a copy puts into a backup after all is there in clear, for "
      + "whoever opens the backup.",
    remedy:
      "Encrypt what must not be in a backup with a key from the keychain whose accessibility "
      + "ends in ThisDeviceOnly, and take isExcludedFromBackup for a wish that saves room.",
    references: .init(
      masvs: ["MSTG-STORAGE-8"], maswe: ["MASWE-0006"], masweBeta: ["MASWE-0004", "MASWE-0003"],
      mastg: ["MASTG-TEST-0215", "MASTG-TEST-0298"], cwe: [530]),
    bad: .init(
      "Store.swift",
      """
      func leaveOutOfBackups(_ file: inout URL) throws {
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try file.setResourceValues(values)
      }
      """),
    good: .init(
      "Store.swift",
      """
      func protect(_ file: URL) throws {
        try FileManager.default.setAttributes(
          [.protectionKey: FileProtectionType.complete], ofItemAtPath: file.path)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onMention([
      "isExcludedFromBackup", "NSURLIsExcludedFromBackupKey", "isExcludedFromBackupKey",
    ]) { mention, scope, pass in
      guard !scope.compares(mention), isSet(mention, scope) else { return }
      pass.report(
        .backupExclusionReliedOn, at: mention, in: scope,
        "leaving a file out of backups is a wish: the system may back it up, and does when the "
          + "attribute is lost by a copy")
    }
  }

  private static func isSet(_ mention: Expression, _ scope: Scope) -> Bool {
    if mention.lastName == "isExcludedFromBackup" {
      return scope.assignments.contains {
        $0.name == "isExcludedFromBackup" && $0.expression.range.contains(mention.range.lowerBound)
          && { if case .boolean(true) = $0.kind { true } else { false } }($0.value)
      }
    }
    return scope.calls.contains {
      ($0.name == "setResourceValue" || $0.name == "setResourceValues")
        && $0.expression.range.contains(mention.range.lowerBound)
        && { if case .boolean(false) = $0?.kind { false } else { true } }($0[0])
    }
  }
}
