import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let yapUnencrypted = RuleID("yap-unencrypted")
}

/// Finds YapDatabases without encryption.
enum YapUnencrypted: CodeRule {
  static let rule = Rule(
    .yapUnencrypted, "YapDatabase without encryption",
    severity: .medium, level: .required,
    consequence:
      "Keys and objects are stored in a file that is not encrypted. Anyone who has a backup "
      + "or the device's files can read them.",
    remedy:
      "Use the subspec with SQLCipher, and set the cipherKeyBlock of YapDatabaseOptions to a "
      + "block that returns a key from the keychain.",
    references: .database,
    bad: .init(
      "Database.swift",
      """
      import YapDatabase

      func open(_ url: URL) -> YapDatabase? {
        YapDatabase(url: url)
      }
      """),
    good: .init(
      "Database.swift",
      """
      import YapDatabase

      func open(_ url: URL, key: Data) -> YapDatabase? {
        let options = YapDatabaseOptions()
        options.cipherKeyBlock = { key }
        return YapDatabase(url: url, options: options)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["YapDatabase", "initWithPath", "initWithURL", "initWithUrl"]) { call, scope, pass in
      let isYap =
        call.name == "YapDatabase"
        || (call.receiver.flatMap { pass.inspector.type(of: $0, in: scope) } == "YapDatabase")
      guard isYap, !pass.project.hasAssignment(to: "cipherKeyBlock") else { return }
      pass.report(
        .yapUnencrypted, at: call.expression, in: scope,
        "the database is opened without a cipherKeyBlock, so its file is not encrypted")
    }
    set.onCall(["setObject"]) { call, scope, pass in
      guard let value = call[0], call["forKey"] != nil, call["inCollection"] != nil,
        !pass.project.hasAssignment(to: "cipherKeyBlock"),
        !pass.inspector.isProtected(value, in: scope),
        let key = call["forKey"],
        let found = pass.inspector.sensitivity(ofEntry: key, value, in: scope)
          ?? nameOfConstant(value)
      else { return }
      pass.report(
        .yapUnencrypted, found, at: call.expression, in: scope,
        "# is stored by YapDatabase in the clear")
    }
  }

  private static func nameOfConstant(_ value: Expression) -> Evidence? {
    guard let name = value.bare.lastName, let found = SensitiveKind.ofName(name) else { return nil }
    return Evidence(sensitivity: found, name: name, trail: [])
  }
}
