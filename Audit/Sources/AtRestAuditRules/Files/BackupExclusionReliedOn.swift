import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let backupExclusionReliedOn = RuleID("backup-exclusion-relied-on")
}

/// Finds backup exclusions that are used as protection.
enum BackupExclusionReliedOn: CodeRule {
  static let rule = Rule(
    .backupExclusionReliedOn, "Backup exclusion used as protection",
    severity: .note, level: .recommended,
    consequence:
      "If the system or a copy puts the file into a backup after all, anyone who opens the backup "
      + "can read it in the clear.",
    remedy:
      "If data must not be in a backup, encrypt it with a key from the keychain whose accessibility "
      + "ends in ThisDeviceOnly. Use isExcludedFromBackup only as a request that saves space.",
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
    set.onCall(["setxattr"], attributed)
    set.onMention([
      "isExcludedFromBackup", "NSURLIsExcludedFromBackupKey", "isExcludedFromBackupKey",
    ]) { mention, scope, pass in
      guard !scope.compares(mention), isSet(mention, scope), !isOfCache(scope) else { return }
      pass.report(
        .backupExclusionReliedOn, at: mention, in: scope,
        "excluding a file from backups is only a request: the system may back it up, and does if a "
          + "copy loses the attribute")
    }
  }

  /// Reports the extended attribute by which early versions of iOS excluded a file.
  private static func attributed(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard let name = call[1].flatMap({ pass.inspector.constant($0, in: scope)?.text }),
      name == "com.apple.MobileBackup", !isOfCache(scope)
    else { return }
    pass.report(
      .backupExclusionReliedOn, at: call.expression, in: scope,
      "excluding a file from backups is only a request: the system may back it up, and does if a "
        + "copy loses the attribute")
  }

  /// Returns true if the code is about files that are excluded to save space.
  private static func isOfCache(_ scope: Scope) -> Bool {
    [scope.function?.name ?? "", scope.owner ?? ""].flatMap(Words.split).contains {
      [
        "cache", "caches", "cached", "temporary", "temp", "favicon", "favicons", "thumbnail",
        "thumbnails", "tiles", "downloads",
      ].contains($0)
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
