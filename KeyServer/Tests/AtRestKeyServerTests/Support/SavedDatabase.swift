import AtRestKeyServerStore
import Foundation

/// A PostgreSQL database whose tables somebody saves and puts back, behind the server's back.
struct SavedDatabase: Sendable {
  let base: TestDatabase

  init() throws { base = try TestDatabase(.postgreSQL) }

  func store(keepsLedger: Bool = true) throws -> KeyServerStore {
    try base.store(keepsLedger: keepsLedger)
  }

  @discardableResult
  func psql(_ sql: String) throws -> String { try base.psql(sql) }

  func save(_ tables: [String]) throws {
    try psql(tables.map { "CREATE TABLE saved_\($0) AS TABLE keyserver_\($0);" }.joined())
  }

  func putBack(_ tables: [String]) throws {
    let statements = tables.map {
      "DELETE FROM keyserver_\($0); INSERT INTO keyserver_\($0) SELECT * FROM saved_\($0);"
    }
    try psql("BEGIN;" + statements.joined() + "COMMIT")
  }
}
