import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let firebasePersistence = RuleID("firebase-persistence")
}

/// Finds Firebase configurations that keep data on the device.
enum FirebasePersistence: CodeRule {
  static let rule = Rule(
    .firebasePersistence, "Firebase data kept on the device",
    severity: .medium, level: .recommended,
    consequence:
      "Data that the app reads from and writes to Firebase is stored in a database that is "
      + "not encrypted. Anyone who has the device's files can read it, even after logout.",
    remedy:
      "If the data is personal, leave isPersistenceEnabled false, or use MemoryCacheSettings for "
      + "Firestore, and call clearPersistence at logout.",
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
        "data that Firebase reads and writes is kept on the device in the clear")
    }
    set.onCall(["PersistentCacheSettings"]) { call, scope, pass in
      guard pass.project.usesFirebase else { return }
      pass.report(
        .firebasePersistence, at: call.expression, in: scope,
        "data that Firestore reads and writes is kept on the device in the clear")
    }
  }
}
