import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  package static let sharedContainer = RuleID("shared-container")
}

/// Finds files and preferences that are shared within an app group.
enum SharedContainer: CodeRule {
  static let rule = Rule(
    .sharedContainer, "Files or preferences shared within an app group",
    severity: .note, level: .recommended,
    consequence:
      "Every app and extension of the group can read and change the data, so its protection is "
      + "only as good as the weakest of them.",
    remedy:
      "Put only the data that the other members need into the container of a group, and put "
      + "secrets into a keychain access group (kSecAttrAccessGroup).",
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
      guard name?.hasPrefix("group.") ?? true, isGranted(name, pass.project) else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "every app and extension of \(name.map { "the group " + $0 } ?? "the group") can read and "
          + "change these preferences")
    }
    set.onAssignment(["sharedContainerIdentifier"]) { assignment, scope, pass in
      let group = pass.inspector.constant(assignment.value, in: scope)?.text
      guard !pass.inspector.isEmpty(assignment.value), isGranted(group, pass.project) else {
        return
      }
      pass.report(
        .sharedContainer, at: assignment.expression, in: scope,
        "every app and extension of the group can read and change what this session downloads")
    }
    set.onCall(["ModelConfiguration"]) { call, scope, pass in
      guard let group = call["groupContainer"], group.lastName == "identifier" else { return }
      pass.report(
        .sharedContainer, at: call.expression, in: scope,
        "every app and extension of the group can read and change this database")
    }
    set.onCall([
      "containerURL", "containerURLForSecurityApplicationGroupIdentifier",
    ]) { call, scope, pass in
      guard call["forSecurityApplicationGroupIdentifier"] != nil || call.name != "containerURL",
        let group = call["forSecurityApplicationGroupIdentifier"] ?? call[0],
        isGranted(pass.inspector.constant(group, in: scope)?.text, pass.project)
      else { return }
      pass.silently(scope.isForDevelopers) {
        pass.report(
          .sharedContainer, at: call.expression, in: scope,
          "every app and extension of the group can read and change these files")
      }
    }
  }

  /// Returns false if the entitlements name groups, but not this one. Without the entitlement, the
  /// system shares nothing.
  private static func isGranted(_ group: String?, _ project: ProjectFacts) -> Bool {
    if project.resources.lacksGroups { return false }
    guard let group, let granted = project.resources.groups else { return true }
    return granted.contains { $0 == group || $0.hasSuffix("." + group) }
  }
}
