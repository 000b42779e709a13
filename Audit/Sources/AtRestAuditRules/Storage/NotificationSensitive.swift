import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let notificationSensitive = RuleID("notification-sensitive")
}

/// Secret or personal data in a notification.
enum NotificationSensitive: CodeRule {
  static let rule = Rule(
    .notificationSensitive, "Secret or personal data in a notification",
    severity: .medium, level: .required,
    consequence:
      "Notifications are shown on the locked screen, where anyone can read them, and the system "
      + "stores them in a database.",
    remedy:
      "Let the UNMutableNotificationContent say only that there is something new, and show it in "
      + "the app once the device is unlocked.",
    references: .init(masvs: ["MSTG-STORAGE-2", "MSTG-STORAGE-7"], cwe: [200]),
    bad: .init(
      "Alerts.swift",
      """
      func announce(verificationCode: String) {
        let content = UNMutableNotificationContent()
        content.body = "Your code: \\(verificationCode)"
      }
      """),
    good: .init(
      "Alerts.swift",
      """
      func announce(verificationCode: String) {
        let content = UNMutableNotificationContent()
        content.body = "Your code has arrived. Open the app to see it."
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment([
      "body", "title", "subtitle", "userInfo", "alertBody", "alertTitle",
      "informativeText",
    ]) {
      assignment, scope, pass in
      guard let target = assignment.target,
        let type = pass.inspector.type(of: target, in: scope).map(TypeName.plain),
        type == "UNMutableNotificationContent" || type == "UILocalNotification"
          || type == "UNNotificationContent" || type == "NSUserNotification"
      else { return }
      pass.silently(scope.isForDevelopers) { look(at: assignment, scope, pass) }
    }
  }

  private static func look(at assignment: Scope.Assignment, _ scope: Scope, _ pass: Pass) {
    // The screen does not show it.
    let isHidden = assignment.name == "userInfo"
    let what =
      isHidden
      ? "# is in the information of a notification, which the system stores"
      : "# is in a notification, which is stored and shown on the locked screen"
    guard let found = pass.inspector.sensitivity(of: assignment.value, in: scope) else {
      for given in pass.inspector.callers(giving: assignment.value, in: scope) {
        pass.report(
          .notificationSensitive, given.through(scope, assignment.expression), at: given.place,
          in: given.scope, severity: isHidden ? .low : nil, what)
      }
      return
    }
    pass.report(
      .notificationSensitive, found, at: assignment.expression, in: scope,
      severity: isHidden ? .low : nil, what)
  }
}
