import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let grdbUnencrypted = RuleID("grdb-unencrypted")
}

/// Finds GRDB databases without encryption.
enum GRDBUnencrypted: CodeRule {
  static let rule = Rule(
    .grdbUnencrypted, "GRDB database without encryption",
    severity: .medium, level: .required,
    consequence:
      "Every table is stored in a file that is not encrypted. Anyone who has a backup or "
      + "the device's files can read it.",
    remedy:
      "Build GRDB with SQLCipher, and call usePassphrase(_:) with a key from the keychain in the "
      + "Configuration's prepareDatabase.",
    references: .database,
    bad: .init(
      "Database.swift",
      """
      import GRDB

      func open(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path)
      }
      """),
    good: .init(
      "Database.swift",
      """
      import GRDB

      func open(_ path: String, key: Data) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.prepareDatabase { database in try database.usePassphrase(key) }
        return try DatabaseQueue(path: path, configuration: configuration)
      }
      """))

  /// Returns true if the database is opened a second time, to read what other code stores.
  private static func isReadOnly(_ scope: Scope) -> Bool {
    scope.assignments.contains {
      guard $0.name == "readonly", case .boolean(true) = $0.value.kind else { return false }
      return true
    }
  }

  static func add(to set: inout CheckSet) {
    set.onCall(["DatabaseQueue", "DatabasePool"]) { call, scope, pass in
      guard call.receiver == nil, call["path"] != nil, pass.project.imports.contains("GRDB"),
        pass.project.calls["usePassphrase"] == nil, !scope.isMigration, !isReadOnly(scope)
      else { return }
      pass.report(
        .grdbUnencrypted, at: call.expression, in: scope,
        severity: DatabaseContents.severity(ofDatabaseIn: scope.file, pass),
        "the database is opened without a passphrase, so its file is not encrypted")
    }
  }
}
