import Foundation
import GRDB

/// A note: a record of GRDB, as in any other application.
public struct Note: Codable, Equatable, Sendable, FetchableRecord, MutablePersistableRecord {
  public var id: Int64?
  public var text: String
  public var written: Date

  public mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

extension DatabaseMigrator {
  /// The schema: the notes, and an index of their words that SQLite keeps.
  static var notes: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("notes") { db in
      try db.create(table: "note") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("text", .text).notNull()
        table.column("written", .datetime).notNull()
      }
      try db.create(virtualTable: "noteWords", using: FTS5()) { table in
        table.synchronize(withTable: "note")
        table.column("text")
      }
    }
    return migrator
  }
}
