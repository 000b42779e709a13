import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let userActivitySensitive = RuleID("user-activity-sensitive")
}

/// Secret or personal data in a user activity or the search index.
enum UserActivitySensitive: CodeRule {
  static let rule = Rule(
    .userActivitySensitive, "Secret or personal data in a user activity or the search index",
    severity: .medium, level: .required,
    consequence:
      "The system stores activities, shows them in its search and passes them to the person's "
      + "other devices, so the value is visible in places that the app does not control.",
    remedy:
      "Put an identifier into the userInfo of the NSUserActivity, or into the CSSearchableItem, "
      + "and look up the value when the activity is continued.",
    references: .init(masvs: ["MSTG-STORAGE-2"], cwe: [200]),
    bad: .init(
      "Record.swift",
      """
      func show(diagnosis: String) {
        let activity = NSUserActivity(activityType: "org.example.record")
        activity.userInfo = ["diagnosis": diagnosis]
        activity.becomeCurrent()
      }
      """),
    good: .init(
      "Record.swift",
      """
      func show(record: UUID) {
        let activity = NSUserActivity(activityType: "org.example.record")
        activity.userInfo = ["record": record.uuidString]
        activity.becomeCurrent()
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment(["userInfo", "title", "webpageURL", "keywords", "contentDescription"]) {
      assignment, scope, pass in
      guard let target = assignment.target, isActivity(target, at: assignment, scope, pass),
        let found = pass.inspector.sensitivity(of: assignment.value, in: scope)
      else { return }
      pass.report(
        .userActivitySensitive, found, at: assignment.expression, in: scope,
        "# is in a user activity, which is indexed, stored and passed to other devices")
    }
    set.onCall(["addUserInfoEntries", "addUserInfoEntriesFromDictionary"]) { call, scope, pass in
      guard let value = call[0], let found = pass.inspector.sensitivity(of: value, in: scope) else {
        return
      }
      pass.report(
        .userActivitySensitive, found, at: call.expression, in: scope,
        "# is in a user activity, which is indexed, stored and passed to other devices")
    }
  }

  private static func isActivity(
    _ target: Expression, at assignment: Scope.Assignment, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    if let type = pass.inspector.type(of: target, in: scope).map(TypeName.plain) {
      return type == "NSUserActivity" || type == "CSSearchableItemAttributeSet"
    }
    // `.userActivity("…") { activity in … }`
    return assignment.name == "userInfo"
      && scope.calls.contains {
        $0.name == "userActivity"
          && $0.expression.range.contains(assignment.expression.range.lowerBound)
      }
  }
}
