import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let sharedContainer = RuleID("shared-container")
}

/// Files or preferences that other apps of a group share.
enum SharedContainer: CodeRule {
  static let rule = Rule(
    .sharedContainer, "Files or preferences that other apps of a group share",
    severity: .note, level: .recommended,
    consequence:
      "Every app and extension of the group reads and changes what lies there, so the "
      + "weakest of them decides how well it is kept.",
    remedy:
      "Put into the container of a group only what its other members need, and secrets into "
      + "a keychain access group, kSecAttrAccessGroup.",
    references: .init(masvs: ["MSTG-STORAGE-6"], mastg: ["MASTG-TEST-0388"], cwe: [668]),
    bad: .init(
      "Shared.swift",
      """
      let defaults = UserDefaults(suiteName: "group.org.example.app")
      """),
    good: .init(
      "Own.swift",
      """
      let defaults = UserDefaults.standard
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["UserDefaults", "initWithSuiteName"]) { call, scope, pass in
      guard let suite = call["suiteName"] ?? (call.name == "initWithSuiteName" ? call[0] : nil)
      else { return }
      let name = pass.inspector.constant(suite, in: scope)?.text
      guard name?.hasPrefix("group.") ?? true else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "preferences of \(name.map { "the group " + $0 } ?? "a group") are read and written by every app "
          + "and extension in it")
    }
    set.onCall([
      "containerURL", "containerURLForSecurityApplicationGroupIdentifier",
    ]) { call, scope, pass in
      guard call["forSecurityApplicationGroupIdentifier"] != nil || call.name != "containerURL"
      else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "files of the group are read and written by every app and extension in it")
    }
  }
}
