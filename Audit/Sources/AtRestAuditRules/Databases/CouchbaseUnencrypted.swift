import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let couchbaseUnencrypted = RuleID("couchbase-unencrypted")
}

/// Finds Couchbase Lite databases without encryption.
enum CouchbaseUnencrypted: CodeRule {
  static let rule = Rule(
    .couchbaseUnencrypted, "Couchbase Lite database without encryption",
    severity: .medium, level: .required,
    consequence:
      "The documents are stored in a file that is not encrypted. Anyone who has a backup or "
      + "the device's files can read them.",
    remedy:
      "Set the encryptionKey of the DatabaseConfiguration to a key from the keychain before the "
      + "database is opened.",
    references: .database,
    bad: .init(
      "Database.swift",
      """
      import CouchbaseLiteSwift

      func open() throws -> Database {
        try Database(name: "notes")
      }
      """),
    good: .init(
      "Database.swift",
      """
      import CouchbaseLiteSwift

      func open(key: Data) throws -> Database {
        var configuration = DatabaseConfiguration()
        configuration.encryptionKey = EncryptionKey.key(key)
        return try Database(name: "notes", config: configuration)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["databaseNamed", "existingDatabaseNamed", "openDatabaseNamed"]) {
      call, scope, pass in
      if pass.project.calls["registerEncryptionKey"] != nil { return }
      if let options = call["withOptions"] ?? call["with"],
        pass.inspector.type(of: options, in: scope) != nil,
        pass.project.hasAssignment(to: "encryptionKey")
      {
        return
      }
      pass.report(
        .couchbaseUnencrypted, at: call.expression, in: scope,
        "the database is opened without an encryption key, so its file is not encrypted")
    }
    set.onCall(["Database", "CBLDatabase"]) { call, scope, pass in
      guard call.receiver == nil, call["name"] != nil || call[0] != nil,
        pass.project.imports.contains(where: { $0.contains("ouchbase") }),
        !pass.project.hasAssignment(to: "encryptionKey")
      else { return }
      pass.report(
        .couchbaseUnencrypted, at: call.expression, in: scope,
        "the database is opened without an encryption key, so its file is not encrypted")
    }
    set.onCall(["initWithName"]) { call, scope, pass in
      guard let receiver = call.receiver,
        pass.inspector.type(of: receiver, in: scope) == "CBLDatabase",
        !pass.project.hasAssignment(to: "encryptionKey")
      else { return }
      pass.report(
        .couchbaseUnencrypted, at: call.expression, in: scope,
        "the database is opened without an encryption key, so its file is not encrypted")
    }
    set.onCall(["putProperties", "setProperties", "setDictionary", "setData", "MutableDocument"]) {
      call, scope, pass in
      guard let value = call["data"] ?? call[0], pass.project.usesCouchbase,
        !pass.project.hasAssignment(to: "encryptionKey"),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .couchbaseUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Couchbase Lite in the clear")
    }
    set.onCall(["setString", "setValue", "setInt"]) { call, scope, pass in
      guard let receiver = call.receiver, let key = call["forKey"], let value = call[0],
        isDocument(receiver, scope, pass), !pass.project.hasAssignment(to: "encryptionKey"),
        let found = pass.inspector.sensitivity(ofEntry: key, value, in: scope)
      else { return }
      pass.report(
        .couchbaseUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Couchbase Lite in the clear")
    }
    // `document["password"].string = entered`
    set.onAssignment(["string", "value", "blob"]) { assignment, scope, pass in
      guard case .index(let document, let keys)? = assignment.target?.kind,
        let key = keys.first?.value, isDocument(document, scope, pass),
        !pass.project.hasAssignment(to: "encryptionKey"),
        let found = pass.inspector.sensitivity(ofEntry: key, assignment.value, in: scope)
      else { return }
      pass.report(
        .couchbaseUnencrypted, found, at: assignment.expression, in: scope,
        "# is stored by Couchbase Lite in the clear")
    }
  }

  private static func isDocument(
    _ receiver: Expression, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)
    return type == "MutableDocument" || type == "CBLMutableDocument"
      || receiver.written.hasPrefix("MutableDocument()")
  }
}
