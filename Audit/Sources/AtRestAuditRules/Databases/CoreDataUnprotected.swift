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
    // `NSBatchInsertRequest(entityName: "Patient", objects: rows)`
    set.onCall(["NSBatchInsertRequest"]) { call, scope, pass in
      guard let objects = call["objects"],
        let found = pass.inspector.sensitivity(of: objects, in: scope)
      else { return }
      pass.report(
        .coreDataUnprotected, found, at: call.expression, in: scope,
        "# is stored by Core Data in the clear")
    }
    // `device[keyPath: \.secret] = value`
    set.onScope { scope, pass in
      for (name, bindings) in scope.bindings {
        for binding in bindings {
          guard case .element(let key) = binding.part, case .closure(let path) = key.kind,
            let property = path.body.results.first?.lastName,
            let type = pass.inspector.type(of: Expression(.name(name), key.range), in: scope),
            DatabaseChecks.isManaged(type, near: scope.file, pass.project),
            let found = SensitiveKind.ofName(property)
          else { continue }
          pass.report(
            .coreDataUnprotected, Evidence(sensitivity: found, name: property, trail: []),
            at: binding.value, in: scope, "# is stored by Core Data in the clear")
        }
      }
    }
    set.onCall(["setValue", "setPrimitiveValue"]) { call, scope, pass in
      guard let value = call[0], let key = call["forKey"] ?? call["forKeyPath"],
        let type = call.receiver.map({ pass.inspector.type(of: $0, in: scope) }) ?? scope.owner,
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
