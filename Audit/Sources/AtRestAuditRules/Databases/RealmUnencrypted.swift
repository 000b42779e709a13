import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let realmUnencrypted = RuleID("realm-unencrypted")
}

/// Finds Realm files without encryption.
enum RealmUnencrypted: CodeRule {
  static let rule = Rule(
    .realmUnencrypted, "Realm without encryption",
    severity: .medium, level: .required,
    consequence:
      "The Realm's file is not encrypted, so anyone who has a backup or the device's files can "
      + "read every object.",
    remedy:
      "Set the encryptionKey of the Realm.Configuration to 64 random bytes. Generate them once "
      + "with SecRandomCopyBytes, and keep them in the keychain.",
    references: .database,
    bad: .init(
      "Database.swift",
      """
      import RealmSwift

      func open() throws -> Realm {
        try Realm()
      }
      """),
    good: .init(
      "Database.swift",
      """
      import RealmSwift

      func open(key: Data) throws -> Realm {
        try Realm(configuration: Realm.Configuration(encryptionKey: key))
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["create", "createInRealm", "createInDefaultRealmWithValue"]) { call, scope, pass in
      guard let value = call["value"] ?? call["withValue"] ?? call[0], pass.project.importsRealm,
        !DatabaseChecks.isRealmEncrypted(pass.project),
        !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .realmUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Realm in the clear")
    }
    // `Account(value: ["password": entered])`
    set.onScope { scope, pass in
      for call in scope.calls where call.receiver == nil {
        guard let value = call["value"],
          pass.project.type(call.name, is: DatabaseChecks.realmTypes),
          pass.project.importsRealm, !DatabaseChecks.isRealmEncrypted(pass.project),
          let found = pass.inspector.sensitivity(of: value, in: scope)
        else { continue }
        pass.report(
          .realmUnencrypted, found, at: call.expression, in: scope,
          "# is stored by Realm in the clear")
      }
    }
    set.onCall(["Realm"]) { call, scope, pass in
      guard call.receiver == nil, pass.project.importsRealm else { return }
      if let configuration = call["configuration"] ?? call["fileURL"] {
        opened(with: configuration, call, scope, pass)
      } else if !DatabaseChecks.isRealmEncrypted(pass.project) {
        openedPlain(call, scope, pass)
      }
    }
    set.onCall([
      "default", "defaultRealm", "realmWithConfiguration", "realmWithURL", "realmWithPath",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, receiver.lastName == "RLMRealm" else { return }
      if call.name.hasPrefix("realmWith"), let configuration = call[0] {
        opened(with: configuration, call, scope, pass)
      } else if !DatabaseChecks.isRealmEncrypted(pass.project) {
        openedPlain(call, scope, pass)
      }
    }
  }

  private static func openedPlain(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    if scope.isMigration { return }
    pass.report(
      .realmUnencrypted, at: call.expression, in: scope,
      severity: DatabaseContents.severityOfRealm(pass),
      "the Realm is opened without an encryptionKey, so its file is not encrypted")
  }

  private static func opened(
    with configuration: Expression, _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    if hasKey(configuration, scope, pass, depth: 0) ?? DatabaseChecks.isRealmEncrypted(pass.project)
    {
      return
    }
    if scope.isMigration { return }
    pass.report(
      .realmUnencrypted, at: call.expression, in: scope,
      severity: DatabaseContents.severityOfRealm(pass),
      "a Realm is configured without an encryptionKey, so its file is not encrypted")
  }

  /// Returns whether a configuration has a key, or nil if this cannot be determined.
  private static func hasKey(
    _ configuration: Expression, _ scope: Scope, _ pass: Pass, depth: Int
  ) -> Bool? {
    guard depth < 5 else { return nil }
    switch configuration.bare.kind {
    case .call(let callee, let arguments):
      if arguments.contains(where: {
        $0.label == "encryptionKey" || $0.label == "inMemoryIdentifier"
      }) {
        return true
      }
      return callee.lastName == "Configuration" || callee.lastName == "RLMRealmConfiguration"
        ? false : nil
    case .name(let name):
      guard case .local(let bindings, _, let home) = pass.inspector.meaning(of: name, in: scope)
      else {
        return nil
      }
      var known: Bool?
      for binding in bindings {
        switch binding.part {
        case .property("encryptionKey"), .property("inMemoryIdentifier"):
          if !pass.inspector.isEmpty(binding.value) { return true }
        case .whole: known = hasKey(binding.value, home, pass, depth: depth + 1) ?? known
        default: break
        }
      }
      return known
    default: return nil
    }
  }
}
