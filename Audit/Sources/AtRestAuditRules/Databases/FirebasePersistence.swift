import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let firebasePersistence = RuleID("firebase-persistence")
}

/// Firebase that keeps its data on the device.
enum FirebasePersistence: CodeRule {
  static let rule = Rule(
    .firebasePersistence, "Firebase that keeps its data on the device",
    severity: .medium, level: .recommended,
    consequence:
      "What the app reads from and writes to Firebase lies in a database in clear: who has "
      + "the device's files reads it, even after the logout.",
    remedy:
      "Leave isPersistenceEnabled false, or use MemoryCacheSettings for Firestore, where the "
      + "data is personal, and call clearPersistence at logout.",
    references: .database,
    bad: .init(
      "Remote.swift",
      """
      import FirebaseDatabase

      func setUp() {
        Database.database().isPersistenceEnabled = true
      }
      """),
    good: .init(
      "Remote.swift",
      """
      import FirebaseDatabase

      func setUp() {
        Database.database().isPersistenceEnabled = false
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment(["isPersistenceEnabled", "persistenceEnabled"]) { assignment, scope, pass in
      guard pass.inspector.isTrue(assignment.value, in: scope), pass.project.usesFirebase else {
        return
      }
      pass.report(
        .firebasePersistence, at: assignment.expression, in: scope,
        "what Firebase reads and writes is kept on the device, in clear")
    }
    set.onCall(["PersistentCacheSettings"]) { call, scope, pass in
      guard pass.project.usesFirebase else { return }
      pass.report(
        .firebasePersistence, at: call.expression, in: scope,
        "what Firestore reads and writes is kept on the device, in clear")
    }
  }
}
