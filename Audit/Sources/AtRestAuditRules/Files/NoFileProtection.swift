import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  // The constant is not named after the id, because the rule finds the option `noFileProtection`.
  static let unprotectedFile = RuleID("no-file-protection")
}

/// Finds files that the passcode does not protect.
enum NoFileProtection: CodeRule {
  static let rule = Rule(
    .unprotectedFile, "File that the passcode does not protect",
    severity: .low, level: .required,
    consequence:
      "The file can be read while the device is locked, so anyone who finds the device can read "
      + "it without the passcode.",
    remedy:
      "Write with .completeFileProtection, or set FileAttributeKey.protectionKey to "
      + "FileProtectionType.complete. Use .completeUnlessOpen for files that are written in the "
      + "background.",
    references: .init(
      masvs: ["MSTG-STORAGE-1"], mastg: ["MASTG-TEST-0299"], cwe: [311, 922]),
    bad: .init(
      "Notes.swift",
      """
      func save(_ notes: Data, to file: URL) throws {
        try notes.write(to: file, options: [.atomic, .noFileProtection])
      }
      """),
    good: .init(
      "Notes.swift",
      """
      func save(_ notes: Data, to file: URL) throws {
        try notes.write(to: file, options: [.atomic, .completeFileProtection])
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onMention(["noFileProtection", "NSFileProtectionNone", "NSDataWritingFileProtectionNone"]) {
      mention, scope, pass in
      if scope.compares(mention) { return }
      pass.report(
        .unprotectedFile, at: mention, in: scope, severity: .medium,
        "\(mention.lastName ?? "") lets anyone who has the device read the file, even while the "
          + "device is locked")
    }
    set.onMention(["none"]) { mention, scope, pass in
      guard isProtection(mention, scope),
        !scope.comparisons.contains(where: { $0.range.contains(mention.range.lowerBound) }),
        !scope.compares(mention), !isOfMarker(mention, scope)
      else { return }
      pass.report(
        .unprotectedFile, at: mention, in: scope, severity: .medium,
        "FileProtectionType.none lets anyone who has the device read the file, even while the "
          + "device is locked")
    }
  }

  /// Returns true if the protection is that of an empty file, which only marks something.
  private static func isOfMarker(_ mention: Expression, _ scope: Scope) -> Bool {
    let names = [scope.function?.name ?? "", scope.owner ?? ""].flatMap(Words.split)
    guard names.contains(where: ["marker", "mark", "flag", "sentinel"].contains) else {
      return false
    }
    return scope.calls.contains {
      $0.name == "createFile" && $0.expression.range.contains(mention.range.lowerBound)
        && $0["contents"]?.isNull == true
    }
  }

  private static func isProtection(_ mention: Expression, _ scope: Scope) -> Bool {
    if case .member(let base?, _) = mention.kind,
      base.lastName == "FileProtectionType" || base.lastName == "URLFileProtection"
    {
      return true
    }
    // `.protectionKey: .none`, `[FileAttributeKey.protectionKey: FileProtectionType.none]`
    return scope.dictionaries.contains { dictionary in
      guard case .dictionary(let pairs) = dictionary.kind else { return false }
      return pairs.contains {
        $0.value.bare === mention
          && ["protectionKey", "NSFileProtectionKey", "NSPersistentStoreFileProtectionKey"]
            .contains($0.key.lastName)
      }
    }
  }
}
