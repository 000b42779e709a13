import AtRestAuditAnalysis
import AtRestAuditModel

/// Databases that are opened without a key or protection, and what is sensitive in them.
enum DatabaseChecks {
  static func add(to set: inout CheckSet) {
    coreData(&set)
    realm(&set)
    sqlite(&set)
    couchbase(&set)
    yap(&set)
    firebase(&set)
    set.onType { type, file, pass in swiftData(type, file, pass) }
  }

  // MARK: Core Data and SwiftData

  private static let managedTypes: Set<String> = ["NSManagedObject"]

  private static func coreData(_ set: inout CheckSet) {
    set.note(["NSPersistentStoreFileProtectionKey"])
    set.onCall([
      "NSPersistentContainer", "NSPersistentCloudKitContainer", "persistentContainerWithName",
      "addPersistentStore", "addPersistentStoreWithType",
    ]) { call, scope, pass in
      if call.name.hasPrefix("NSPersistent"), call["name"] == nil { return }
      if let type = call["ofType"]?.lastName ?? call[0]?.lastName,
        type == "NSInMemoryStoreType" || type == "inMemory"
      {
        return
      }
      if isProtected(pass.project) { return }
      pass.report(
        .coreDataNoFileProtection, at: call.expression, in: scope,
        "the store is opened without NSPersistentStoreFileProtectionKey, so it can be read whenever the "
          + "device was unlocked once")
    }
    set.onCall(["initWithName"]) { call, scope, pass in
      guard let receiver = call.receiver,
        pass.inspector.type(of: receiver, in: scope)?.hasPrefix("NSPersistent") == true,
        !isProtected(pass.project)
      else { return }
      pass.report(
        .coreDataNoFileProtection, at: call.expression, in: scope,
        "the store is opened without NSPersistentStoreFileProtectionKey, so it can be read whenever the "
          + "device was unlocked once")
    }
    set.onScope { scope, pass in
      for assignment in scope.assignments {
        guard let target = assignment.target,
          !pass.inspector.isEmpty(assignment.value),
          !pass.inspector.isFlag(assignment.value, in: scope),
          let type = pass.inspector.type(of: target, in: scope)
        else { continue }
        if isManaged(type, pass.project) {
          stored(
            assignment.name, assignment.value, .coreDataUnprotected,
            "is stored by Core Data, in clear",
            at: assignment.expression, scope, pass)
        } else if pass.project.type(type, is: realmTypes) {
          guard !isRealmEncrypted(pass.project) else { continue }
          stored(
            assignment.name, assignment.value, .realmUnencrypted, "is stored by Realm, in clear",
            at: assignment.expression, scope, pass)
        }
      }
    }
    set.onCall(["setValuesForKeys", "setValuesForKeysWithDictionary"]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        let type = pass.inspector.type(of: receiver, in: scope), isManaged(type, pass.project),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .coreDataUnprotected, found, at: call.expression, in: scope,
        "# is stored by Core Data, in clear")
    }
    set.onCall(["setValue", "setPrimitiveValue"]) { call, scope, pass in
      guard let receiver = call.receiver, let value = call[0],
        let key = call["forKey"] ?? call["forKeyPath"],
        let type = pass.inspector.type(of: receiver, in: scope), isManaged(type, pass.project),
        !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(ofEntry: key, value, in: scope)
      else { return }
      pass.report(
        .coreDataUnprotected, found, at: call.expression, in: scope,
        "# is stored by Core Data, in clear")
    }
  }

  private static func isManaged(_ type: String, _ project: ProjectFacts) -> Bool {
    let plain = TypeName.plain(type)
    return project.resources.entities[plain] != nil || project.type(plain, is: managedTypes)
  }

  private static func stored(
    _ name: String, _ value: Expression, _ rule: RuleID, _ what: String, at place: Expression,
    _ scope: Scope, _ pass: Pass
  ) {
    if pass.inspector.isProtected(value, in: scope) { return }
    let found =
      Sensitivity.ofName(name).map { Evidence(sensitivity: $0, name: name, trail: []) }
      ?? pass.inspector.sensitivity(of: value, in: scope)
    if let found { pass.report(rule, found, at: place, in: scope, "# " + what) }
  }

  private static func isProtected(_ project: ProjectFacts) -> Bool {
    project.mentioned.contains("NSPersistentStoreFileProtectionKey")
      || project.imports.contains("EncryptedCoreData")
      || project.resources.dependencies.contains("encryptedcoredata")
  }

  private static func swiftData(_ type: TypeDeclaration, _ file: SourceFile, _ pass: Pass) {
    guard type.attributes.contains(where: { $0.name == "Model" || $0.name == "SwiftData.Model" })
    else {
      return
    }
    for variable in type.variables where !variable.isStatic && variable.accessors.isEmpty {
      if variable.attributes.contains(where: { $0.name == "Transient" }) { continue }
      if let declared = variable.type, pass.inspector.isSilent(declared) { continue }
      guard let found = Sensitivity.ofName(variable.name), found != .personal else { continue }
      pass.report(
        .swiftDataUnprotected, at: variable.range, in: file,
        "\(found.noun) (\(variable.name)) is stored by SwiftData, in clear")
    }
  }

  // MARK: Realm

  private static let realmTypes: Set<String> = [
    "RLMObject", "Object", "EmbeddedObject", "RLMEmbeddedObject",
  ]

  private static func realm(_ set: inout CheckSet) {
    set.onCall(["create", "createInRealm", "createInDefaultRealmWithValue"]) { call, scope, pass in
      guard let value = call["value"] ?? call["withValue"] ?? call[0], pass.project.importsRealm,
        !isRealmEncrypted(pass.project), !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .realmUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Realm, in clear")
    }
    // `Account(value: ["password": entered])`
    set.onScope { scope, pass in
      for call in scope.calls where call.receiver == nil {
        guard let value = call["value"], pass.project.type(call.name, is: realmTypes),
          pass.project.importsRealm, !isRealmEncrypted(pass.project),
          let found = pass.inspector.sensitivity(of: value, in: scope)
        else { continue }
        pass.report(
          .realmUnencrypted, found, at: call.expression, in: scope,
          "# is stored by Realm, in clear")
      }
    }
    set.onCall(["Realm"]) { call, scope, pass in
      guard call.receiver == nil, pass.project.importsRealm else { return }
      if let configuration = call["configuration"] ?? call["fileURL"] {
        opened(with: configuration, call, scope, pass)
      } else if !isRealmEncrypted(pass.project) {
        openedPlain(call, scope, pass)
      }
    }
    set.onCall([
      "default", "defaultRealm", "realmWithConfiguration", "realmWithURL", "realmWithPath",
    ]) { call, scope, pass in
      guard let receiver = call.receiver, receiver.lastName == "RLMRealm" else { return }
      if call.name.hasPrefix("realmWith"), let configuration = call[0] {
        opened(with: configuration, call, scope, pass)
      } else if !isRealmEncrypted(pass.project) {
        openedPlain(call, scope, pass)
      }
    }
  }

  private static func openedPlain(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    pass.report(
      .realmUnencrypted, at: call.expression, in: scope,
      "the Realm is opened without an encryptionKey, so its file is in clear")
  }

  private static func opened(
    with configuration: Expression, _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    if hasKey(configuration, scope, pass, depth: 0) ?? isRealmEncrypted(pass.project) { return }
    openedPlain(call, scope, pass)
  }

  /// Whether a configuration has a key, if it can be told.
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

  /// Whether any code of the project gives Realm a key.
  private static func isRealmEncrypted(_ project: ProjectFacts) -> Bool {
    project.assigned.contains("encryptionKey") || project.labels.contains("encryptionKey")
  }

  // MARK: SQLite

  private static func sqlite(_ set: inout CheckSet) {
    set.onCall(["sqlite3_open", "sqlite3_open_v2", "sqlite3_open16"]) { call, scope, pass in
      if encryptsSQLite(pass.project) { return }
      if pass.inspector.constant(call[0] ?? call.expression, in: scope)?.text == ":memory:" {
        return
      }
      openedDatabase("SQLite", call[0], call, scope, pass)
    }
    set.onCall([
      "FMDatabase", "FMDatabaseQueue", "FMDatabasePool", "databaseWithPath",
      "databaseQueueWithPath", "databaseWithURL", "databasePoolWithPath",
    ]) { call, scope, pass in
      guard call.name.hasPrefix("FM") || call.receiver?.lastName?.hasPrefix("FM") == true,
        !encryptsSQLite(pass.project), !isCalled("setKey", pass.project)
      else { return }
      openedDatabase("FMDB", call[0], call, scope, pass)
    }
    set.onCall(["initWithPath", "initWithURL"]) { call, scope, pass in
      guard let receiver = call.receiver,
        ["FMDatabase", "FMDatabaseQueue", "FMDatabasePool"].contains(
          pass.inspector.type(of: receiver, in: scope)),
        !encryptsSQLite(pass.project), pass.project.calls["setKey"] == nil
      else { return }
      openedDatabase("FMDB", call[0], call, scope, pass)
    }
    set.onCall(["Connection"]) { call, scope, pass in
      guard call.receiver == nil, pass.project.imports.contains("SQLite"), !call.arguments.isEmpty,
        call[0]?.lastName != "inMemory", !encryptsSQLite(pass.project),
        pass.project.calls["key"] == nil
      else { return }
      openedDatabase("SQLite.swift", call[0], call, scope, pass)
    }
    set.onCall(["DatabaseQueue", "DatabasePool"]) { call, scope, pass in
      guard call.receiver == nil, call["path"] != nil, pass.project.imports.contains("GRDB"),
        pass.project.calls["usePassphrase"] == nil
      else { return }
      pass.report(
        .grdbUnencrypted, at: call.expression, in: scope,
        "the database is opened without a passphrase, so its file is in clear")
    }
    // `users.insert(password <- entered)`
    set.onCall(["insert", "update", "upsert"]) { call, scope, pass in
      guard pass.project.imports.contains("SQLite"), !encryptsSQLite(pass.project),
        pass.project.calls["key"] == nil
      else { return }
      for argument in call.arguments {
        guard case .binary(let column, "<-", let value) = argument.value.kind,
          !pass.inspector.isEmpty(value), !pass.inspector.isFlag(value, in: scope),
          !pass.inspector.isProtected(value, in: scope),
          let found = column.lastName.flatMap(Sensitivity.ofName).map({
            Evidence(sensitivity: $0, name: column.written, trail: [])
          }) ?? pass.inspector.sensitivity(of: value, in: scope), found.sensitivity != .personal
        else { continue }
        pass.report(
          .plaintextSqlite, found, at: call.expression, in: scope,
          "# is written to a table, in clear")
      }
    }
    set.onCall(["sqlite3_bind_text", "sqlite3_bind_blob", "sqlite3_bind_text16"]) {
      call, scope, pass in
      guard !encryptsSQLite(pass.project), let value = call[2],
        !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .plaintextSqlite, found, at: call.expression, in: scope,
        "# is bound into a table, in clear")
    }
    set.onCall([
      "executeUpdate", "executeQuery", "run", "execute", "sqlite3_exec", "sqlite3_prepare_v2",
      "sqlite3_prepare", "executeUpdateWithFormat", "executeStatements",
    ]) { call, scope, pass in inserted(call, scope, pass) }
  }

  private static func openedDatabase(
    _ library: String, _ place: Expression?, _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    // What comes with the app and lies in its bundle holds nothing of the user's.
    if let place, pass.inspector.involves(bundleNames, place, in: scope) { return }
    let name = place.flatMap { FileChecks.fileName($0, scope, pass) }
    let isSensitive = name.map(FileChecks.isSensitive) ?? false
    let keyed = scope.strings.first { $0.firstText?.uppercased().hasPrefix("PRAGMA KEY") == true }
    var message = "the database is opened by \(library) without encryption"
    if keyed != nil { message += "; the system's SQLite ignores PRAGMA key" }
    if let name, isSensitive { message += "; its name is \(name)" }
    pass.report(
      .plaintextSqlite, at: call.expression, in: scope,
      severity: isSensitive || keyed != nil ? .high : nil, message)
  }

  private static let bundleNames: Set<String> = [
    "resourcePath", "resourceURL", "forResource", "pathForResource", "URLForResource", "bundlePath",
    "bundleURL",
  ]

  /// Sensitive values among the arguments of a statement that writes.
  private static func inserted(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard !encryptsSQLite(pass.project), pass.project.calls["usePassphrase"] == nil else { return }
    var statement: String?
    for argument in call.arguments {
      guard
        let text = argument.value.firstText
          ?? pass.inspector.constant(argument.value, in: scope)?.text
          ?? bound(argument.value, scope, pass)
      else { continue }
      let start = text.prefix(40).uppercased().trimmingPrefix { $0 == " " || $0 == "\n" }
      if start.hasPrefix("INSERT") || start.hasPrefix("UPDATE") || start.hasPrefix("REPLACE") {
        statement = text
        break
      }
    }
    guard statement != nil else { return }
    for argument in call.arguments
    where !pass.inspector.isProtected(argument.value, in: scope) {
      if let found = pass.inspector.sensitivity(of: argument.value, in: scope),
        found.sensitivity != .personal
      {
        pass.report(
          .plaintextSqlite, found, at: call.expression, in: scope,
          "# is written to a table, in clear")
        return
      }
    }
  }

  private static func bound(_ value: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    guard case .name(let name) = value.bare.kind,
      case .local(let bindings, _, _) = pass.inspector.meaning(of: name, in: scope)
    else { return nil }
    return bindings.first.flatMap { $0.value.firstText ?? $0.value.firstArgument?.firstText }
  }

  private static func encryptsSQLite(_ project: ProjectFacts) -> Bool {
    project.imports.contains { $0.contains("SQLCipher") || $0.contains("sqlcipher") }
      || project.resources.dependencies.contains { $0.contains("sqlcipher") }
      || isCalled("sqlite3_key", project) || isCalled("sqlite3_key_v2", project)
  }

  /// Whether a function is called, and not only by FMDB itself, which some projects have a copy of.
  private static func isCalled(_ name: String, _ project: ProjectFacts) -> Bool {
    project.calls[name]?.contains { $0.scope.owner?.hasPrefix("FM") != true } == true
  }

  // MARK: Couchbase, Yap, Firebase

  private static func couchbase(_ set: inout CheckSet) {
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
        "the database is opened without an encryption key, so its file is in clear")
    }
    set.onCall(["Database", "CBLDatabase"]) { call, scope, pass in
      guard call.receiver == nil, call["name"] != nil || call[0] != nil,
        pass.project.imports.contains(where: { $0.contains("ouchbase") }),
        !pass.project.hasAssignment(to: "encryptionKey")
      else { return }
      pass.report(
        .couchbaseUnencrypted, at: call.expression, in: scope,
        "the database is opened without an encryption key, so its file is in clear")
    }
    set.onCall(["initWithName"]) { call, scope, pass in
      guard let receiver = call.receiver,
        pass.inspector.type(of: receiver, in: scope) == "CBLDatabase",
        !pass.project.hasAssignment(to: "encryptionKey")
      else { return }
      pass.report(
        .couchbaseUnencrypted, at: call.expression, in: scope,
        "the database is opened without an encryption key, so its file is in clear")
    }
    set.onCall(["putProperties", "setProperties", "setDictionary", "setData", "MutableDocument"]) {
      call, scope, pass in
      guard let value = call["data"] ?? call[0], pass.project.usesCouchbase,
        !pass.project.hasAssignment(to: "encryptionKey"),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .couchbaseUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Couchbase Lite, in clear")
    }
    set.onCall(["setString", "setValue", "setInt"]) { call, scope, pass in
      guard let receiver = call.receiver, let key = call["forKey"], let value = call[0],
        isDocument(receiver, scope, pass), !pass.project.hasAssignment(to: "encryptionKey"),
        let found = pass.inspector.sensitivity(ofEntry: key, value, in: scope)
      else { return }
      pass.report(
        .couchbaseUnencrypted, found, at: call.expression, in: scope,
        "# is stored by Couchbase Lite, in clear")
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
        "# is stored by Couchbase Lite, in clear")
    }
  }

  private static func isDocument(
    _ receiver: Expression, _ scope: Scope, _ pass: Pass
  ) -> Bool {
    let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)
    return type == "MutableDocument" || type == "CBLMutableDocument"
      || receiver.written.hasPrefix("MutableDocument()")
  }

  private static func yap(_ set: inout CheckSet) {
    set.onCall(["YapDatabase", "initWithPath", "initWithURL", "initWithUrl"]) { call, scope, pass in
      let isYap =
        call.name == "YapDatabase"
        || (call.receiver.flatMap { pass.inspector.type(of: $0, in: scope) } == "YapDatabase")
      guard isYap, !pass.project.hasAssignment(to: "cipherKeyBlock") else { return }
      pass.report(
        .yapUnencrypted, at: call.expression, in: scope,
        "the database is opened without a cipherKeyBlock, so its file is in clear")
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
        "# is stored by YapDatabase, in clear")
    }
  }

  private static func nameOfConstant(_ value: Expression) -> Evidence? {
    guard let name = value.bare.lastName, let found = Sensitivity.ofName(name) else { return nil }
    return Evidence(sensitivity: found, name: name, trail: [])
  }

  private static func firebase(_ set: inout CheckSet) {
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
    set.onCall(["setValue", "updateChildValues", "setData", "addDocument"]) { call, scope, pass in
      guard let value = call[0] ?? call["data"], let receiver = call.receiver,
        pass.project.imports.contains(where: { $0.hasPrefix("Firebase") }),
        call["forKey"] == nil,
        ["child", "childByAutoId", "reference", "document", "collection"].contains(
          receiver.lastName)
          || ["DatabaseReference", "DocumentReference", "CollectionReference"].contains(
            pass.inspector.type(of: receiver, in: scope).map(TypeName.plain)),
        let found = pass.inspector.sensitivity(of: value, in: scope), found.sensitivity.isSecret
      else { return }
      pass.report(
        .thirdPartySharing, found, at: call.expression, in: scope, "# is sent to Firebase")
    }
  }
}

extension ProjectFacts {
  var importsRealm: Bool {
    imports.contains { $0.hasPrefix("Realm") }
      || resources.dependencies.contains { $0.hasPrefix("realm") }
      || types.values.contains { $0.inherited.contains("RLMObject") }
  }

  var usesFirebase: Bool {
    imports.contains { $0.hasPrefix("Firebase") }
      || resources.dependencies.contains { $0.hasPrefix("firebase") }
  }

  var usesCouchbase: Bool {
    imports.contains { $0.lowercased().contains("couchbase") || $0.contains("CBL") }
      || calls["CBLManager"] != nil || calls["databaseNamed"] != nil
  }

  /// Whether any code sets a property of this name.
  func hasAssignment(to name: String) -> Bool { assigned.contains(name) }
}

extension Expression {
  /// The text that a string begins with.
  var firstText: String? {
    guard case .string(let pieces) = kind, case .text(let text)? = pieces.first else { return nil }
    return text
  }

  /// The first argument of a call.
  var firstArgument: Expression? {
    guard case .call(_, let arguments) = kind else { return nil }
    return arguments.first?.value
  }
}
