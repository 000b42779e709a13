import AtRestCrypto
import CAtRestSQLite
import Foundation

/// The tables of the keychain's database, and the settings of every connection to it.
enum KeychainSchema {
  static let version: Int64 = 1
  /// "AtRK", the application identifier in the header of the file.
  static let applicationID: Int64 = 0x4174_524b
  /// SQLite 3.31 introduced the settings that a connection needs.
  private static let oldestSQLite: Int32 = 3_031_000

  /// The names of the tables, each with the statement that creates it.
  private static let tables: [(name: String, sql: String)] = [
    (
      "change",
      "CREATE TABLE change (id INTEGER PRIMARY KEY, box BLOB NOT NULL)"
    ),
    (
      "item",
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, hash BLOB NOT NULL, generation INTEGER NOT NULL,
        scope INTEGER NOT NULL, info INTEGER NOT NULL, terms BLOB NOT NULL, key BLOB NOT NULL,
        metadata BLOB NOT NULL, secret BLOB NOT NULL)
      """
    ),
    (
      "node",
      "CREATE TABLE node (id INTEGER PRIMARY KEY, box BLOB NOT NULL)"
    ),
  ]

  /// Prepares a connection that was just opened.
  static func prepare(_ connection: Connection, _ handle: OpaquePointer) throws {
    guard sqlite3_libversion_number() >= oldestSQLite, sqlite3_threadsafe() != 0,
      atrest_sqlite_defend(handle) == SQLITE_OK
    else {
      throw AtRestError(
        .system,
        "SQLite \(String(cString: sqlite3_libversion())) is too old, or was built without threads.",
        remedy: "Use SQLite 3.31 or later, built with threads.")
    }
    for pragma in [
      "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON", "cache_size = -262144",
      "temp_store = MEMORY", "trusted_schema = OFF", "cell_size_check = ON",
    ] {
      try connection.execute("PRAGMA \(pragma)")
    }
  }

  static func isEmpty(_ statements: SessionStatements) throws -> Bool {
    try number("SELECT COUNT(*) FROM sqlite_schema", statements) == 0
  }

  /// Creates the tables, in the transaction under way.
  static func make(_ statements: SessionStatements) throws {
    for table in tables { try statements.connection.execute(table.sql) }
    try statements.connection.execute(
      "PRAGMA user_version = \(version); PRAGMA application_id = \(applicationID)")
  }

  /// Returns a number that changes whenever the schema changes.
  static func cookie(_ statements: SessionStatements) throws -> Int64 {
    try number("PRAGMA schema_version", statements)
  }

  /// Compares the schema with the expected text. Nothing else is read before this check.
  ///
  /// - Throws: ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/damaged``, which names
  ///   the foreign objects.
  static func check(_ statements: SessionStatements, path: String) throws {
    let found = try number("PRAGMA user_version", statements)
    guard found <= version else {
      throw AtRestError.unsupported("The keychain \(path)", version: found, known: version)
    }
    let strange = try foreignObjects(statements)
    guard strange.isEmpty else {
      throw AtRestError.damaged(
        "The keychain \(path) has foreign or missing schema objects: "
          + "\(strange.joined(separator: ", ")).",
        remedy: "Restore a backup, or repair the keychain (atrest repair).")
    }
  }

  /// Returns descriptions of the objects that are foreign to the schema or missing from it.
  static func foreignObjects(_ statements: SessionStatements) throws -> [String] {
    var missing = Dictionary(uniqueKeysWithValues: tables.map { ($0.name, $0.sql) })
    var strange: [String] = []
    for object in try objects(statements) {
      if object.type == "table", let sql = missing[object.name], sql == object.sql {
        missing[object.name] = nil
      } else {
        strange.append("the \(object.type) \(object.name.debugDescription)")
      }
    }
    return strange + missing.keys.sorted().map { "no table \($0) as AtRest creates it" }
  }

  /// Drops the objects that do not belong in the schema.
  static func removeForeignObjects(_ statements: SessionStatements) throws {
    let known = Set(tables.map(\.name))
    for object in try objects(statements)
    where object.type != "table" || !known.contains(object.name) {
      let name = object.name.replacingOccurrences(of: "\"", with: "\"\"")
      // An object that belonged to a dropped table is already gone.
      guard try objects(statements).contains(where: { $0 == object }) else { continue }
      try statements.connection.execute("DROP \(object.type) \"\(name)\"")
    }
  }

  private struct Object: Equatable {
    var type: String
    var name: String
    var sql: String
  }

  private static func objects(_ statements: SessionStatements) throws -> [Object] {
    var objects: [Object] = []
    try statements.statement("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid").run {
      row in
      func text(_ column: Int32) -> String { String(decoding: row.bytes(column), as: UTF8.self) }
      objects.append(Object(type: text(0), name: text(1), sql: text(2)))
      return true
    }
    return objects
  }

  private static func number(_ sql: String, _ statements: SessionStatements) throws -> Int64 {
    var number: Int64 = 0
    try statements.statement(sql).run { row in
      number = row.integer(0)
      return false
    }
    return number
  }
}
