import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let coreDataUnprotected = RuleID("core-data-unprotected")
}

/// Finds secrets and personal data in Core Data.
enum CoreDataUnprotected: CodeRule {
  static let rule = Rule(
    .coreDataUnprotected, "Secret or personal data in Core Data",
    severity: .high, level: .required,
    consequence:
      "Core Data stores its objects in a database that is not encrypted. Anyone who has a "
      + "backup or the device's files can read them.",
    remedy:
      "Keep the value in the keychain and its identifier in the object, or encrypt the value with "
      + "AES.GCM.seal and a key from the keychain before it is set.",
    references: .database,
    bad: .init(
      "Account.swift",
      """
      final class Account: NSManagedObject {
        @NSManaged var password: String?
      }

      func change(_ account: Account, password: String) {
        account.password = password
      }
      """),
    good: .init(
      "Account.swift",
      """
      final class Account: NSManagedObject {
        @NSManaged var sealedPassword: Data?
      }

      func change(_ account: Account, password: String, key: SymmetricKey) throws {
        account.sealedPassword = try AES.GCM.seal(Data(password.utf8), using: key).combined
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["setValuesForKeys", "setValuesForKeysWithDictionary"]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        let type = pass.inspector.type(of: receiver, in: scope),
        DatabaseChecks.isManaged(type, near: scope.file, pass.project),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .coreDataUnprotected, found, at: call.expression, in: scope,
        "# is stored by Core Data in the clear")
    }
    set.onCall(["setValue", "setPrimitiveValue"]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        let key = call["forKey"] ?? call["forKeyPath"],
        let type = pass.inspector.type(of: receiver, in: scope),
        DatabaseChecks.isManaged(type, near: scope.file, pass.project),
        !scope.isMigration, !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(ofEntry: key, value, in: scope)
      else { return }
      pass.report(
        .coreDataUnprotected, found, at: call.expression, in: scope,
        "# is stored by Core Data in the clear")
    }
  }
}
