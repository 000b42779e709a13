import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let plaintextSQLite = RuleID("plaintext-sqlite")
}

/// Finds SQLite databases without encryption.
enum PlaintextSQLite: CodeRule {
  static let rule = Rule(
    .plaintextSQLite, "SQLite database without encryption",
    severity: .medium, level: .required,
    consequence:
      "All tables, including deleted rows, are stored in a file that is not encrypted. "
      + "Anyone who has a backup or the device's files can read them.",
    remedy:
      "Link SQLCipher instead of the system's SQLite, and call sqlite3_key with a key from the "
      + "keychain before anything else. The system's library ignores PRAGMA key.",
    references: .database,
    bad: .init(
      "Database.swift",
      """
      import SQLite3

      func open(_ path: String) -> OpaquePointer? {
        var database: OpaquePointer?
        return sqlite3_open(path, &database) == SQLITE_OK ? database : nil
      }
      """),
    good: .init(
      "Database.swift",
      """
      import SQLCipher

      func open(_ path: String, key: Data) -> OpaquePointer? {
        var database: OpaquePointer?
        guard sqlite3_open(path, &database) == SQLITE_OK else { return nil }
        _ = key.withUnsafeBytes { sqlite3_key(database, $0.baseAddress, Int32($0.count)) }
        return database
      }
      """))

  static func add(to set: inout CheckSet) {
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
    // `users.insert(password <- entered)`
    set.onCall(["insert", "update", "upsert"]) { call, scope, pass in
      guard pass.project.imports.contains("SQLite"), !encryptsSQLite(pass.project),
        pass.project.calls["key"] == nil
      else { return }
      for argument in call.arguments {
        guard case .binary(let column, "<-", let value) = argument.value.kind,
          !pass.inspector.isEmpty(value), !pass.inspector.isFlag(value, in: scope),
          !pass.inspector.isProtected(value, in: scope),
          let found = column.lastName.flatMap(SensitiveKind.ofName).map({
            Evidence(sensitivity: $0, name: column.written, trail: [])
          }) ?? pass.inspector.sensitivity(of: value, in: scope), found.sensitivity != .personal
        else { continue }
        pass.report(
          .plaintextSQLite, found, at: call.expression, in: scope,
          "# is written to a table in the clear")
      }
    }
    set.onCall(["sqlite3_bind_text", "sqlite3_bind_blob", "sqlite3_bind_text16"]) {
      call, scope, pass in
      guard !encryptsSQLite(pass.project), let value = call[2],
        !pass.inspector.isProtected(value, in: scope),
        let found = pass.inspector.sensitivity(of: value, in: scope)
      else { return }
      pass.report(
        .plaintextSQLite, found, at: call.expression, in: scope,
        "# is bound to an SQL statement in the clear")
    }
    set.onCall([
      "executeUpdate", "executeQuery", "run", "execute", "sqlite3_exec", "sqlite3_prepare_v2",
      "sqlite3_prepare", "executeUpdateWithFormat", "executeStatements",
    ]) { call, scope, pass in inserted(call, scope, pass) }
  }

  private static func openedDatabase(
    _ library: String, _ place: Expression?, _ call: Scope.Call, _ scope: Scope, _ pass: Pass
  ) {
    if scope.isMigration { return }
    // A database in the app's bundle does not contain the user's data.
    if let place, pass.inspector.involves(bundleNames, place, in: scope) { return }
    if let text = place.flatMap({ pass.inspector.constant($0, in: scope)?.text }),
      text.contains("mode=memory")
    {
      return
    }
    if call.arguments.contains(where: { $0.value.hasOperand("SQLITE_OPEN_MEMORY") }) { return }
    let name = place.flatMap { FileChecks.fileName($0, scope, pass) }
    let isSensitive = name.map(FileChecks.isSensitive) ?? false
    let keyed = scope.strings.first { $0.firstText?.uppercased().hasPrefix("PRAGMA KEY") == true }
    var message = "the database is opened by \(library) without encryption"
    if keyed != nil { message += ". The system's SQLite ignores PRAGMA key" }
    if let name, isSensitive { message += ". Its name is \(name)" }
    pass.report(
      .plaintextSQLite, at: call.expression, in: scope,
      severity: isSensitive || keyed != nil
        ? .high : DatabaseContents.severity(ofDatabaseIn: scope.file, pass),
      message)
  }

  private static let bundleNames: Set<String> = [
    "resourcePath", "resourceURL", "forResource", "pathForResource", "URLForResource", "bundlePath",
    "bundleURL",
  ]

  /// Reports a sensitive value among the arguments of a statement that writes.
  private static func inserted(_ call: Scope.Call, _ scope: Scope, _ pass: Pass) {
    guard !encryptsSQLite(pass.project), pass.project.calls["usePassphrase"] == nil,
      !setsKey(pass.project)
    else { return }
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
          .plaintextSQLite, found, at: call.expression, in: scope,
          "# is written to a table in the clear")
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

  /// Returns true if a key is set on a database of FMDB.
  private static func setsKey(_ project: ProjectFacts) -> Bool {
    project.imports.contains { $0.hasPrefix("FMDB") } && isCalled("setKey", project)
  }

  /// Returns true if a function is called by code other than FMDB, of which some projects contain a
  /// copy.
  private static func isCalled(_ name: String, _ project: ProjectFacts) -> Bool {
    project.calls[name]?.contains { $0.scope.owner?.hasPrefix("FM") != true } == true
  }
}

extension Expression {
  /// Returns true if a sum of flags has this one.
  fileprivate func hasOperand(_ name: String) -> Bool {
    switch bare.kind {
    case .name(let own): own == name
    case .binary(let left, _, let right): left.hasOperand(name) || right.hasOperand(name)
    default: false
    }
  }
}
