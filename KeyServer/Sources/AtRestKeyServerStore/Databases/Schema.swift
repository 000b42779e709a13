import AtRestCrypto
import Foundation

/// The tables, and the steps from one version to the next.
///
/// All tables have the same columns: an identifier, the identifier of the owner, a time in
/// milliseconds since 1970, the edition of the row, the sealed contents, and a random stamp. A dump
/// shows how many rows there are, their times, and which belong together.
enum Schema {
  /// A step that was released is never edited.
  private static let migrations: [[String]] = [
    ["state", "accounts", "attempts", "codes", "devices", "keys", "audit"].flatMap { table in
      [
        """
        CREATE TABLE keyserver_\(table) (
          id BYTEA NOT NULL PRIMARY KEY, owner BYTEA NOT NULL, time BIGINT NOT NULL,
          edition BIGINT NOT NULL, sealed BYTEA NOT NULL)
        """,
        "CREATE INDEX keyserver_\(table)_owner ON keyserver_\(table) (owner, id)",
      ]
    },
    // The contents are sealed again when the store is opened.
    ["state", "accounts", "attempts", "codes", "devices", "keys", "audit"].map { table in
      "ALTER TABLE keyserver_\(table) ADD COLUMN stamp BIGINT NOT NULL DEFAULT 0"
    },
  ]

  static var version: Int64 { Int64(migrations.count) }

  /// Brings the tables to the present version.
  ///
  /// - Throws: ``AtRestError/Code/unsupportedVersion`` if a later version made them.
  static func migrate(_ database: Database) throws {
    try database.transaction { connection in
      // Servers that start at the same time migrate one after the other.
      if !connection.lockClause.isEmpty {
        _ = try connection.run("SELECT 1::BIGINT FROM pg_advisory_xact_lock(4711250011)")
      }
      _ = try connection.run(
        "CREATE TABLE IF NOT EXISTS keyserver_schema (version BIGINT NOT NULL PRIMARY KEY)")
      let rows = try connection.run("SELECT version FROM keyserver_schema ORDER BY version DESC")
      let present = rows.first?.first?.integer ?? 0
      guard present <= version else {
        throw AtRestError(
          .unsupportedVersion,
          "The database has version \(present); this server reads version \(version).",
          remedy: "Use a later version of atrest-keyserver.")
      }
      for step in migrations[Int(present)...].indices {
        for statement in migrations[step] { _ = try connection.run(statement) }
        _ = try connection.run(
          "INSERT INTO keyserver_schema (version) VALUES ($1)", [.integer(Int64(step) + 1)])
      }
    }
  }
}
