import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Rows that were written are read again.
struct RoundTripTests {
  @Test(arguments: [1024, 4096, 65_536])
  func poolWritesAndReads(pageSize: Int) throws {
    let scratch = try Scratch()
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = pageSize
    let rows = 2_000
    do {
      let pool = try scratch.openPool(format)
      try pool.write { db in
        try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
        for row in 0..<rows {
          try db.execute(sql: "INSERT INTO t VALUES(?, ?)", arguments: [row, "text \(row)"])
        }
      }
      let count = try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
      #expect(count == rows)
      try pool.close()
    }
    let queue = try scratch.openQueue(format)
    let found = try queue.read { db in
      try (
        Int.fetchOne(db, sql: "SELECT count(*) FROM t"),
        String.fetchOne(db, sql: "PRAGMA integrity_check"),
        Int.fetchOne(db, sql: "PRAGMA page_size")
      )
    }
    #expect(found == (rows, "ok", pageSize))
  }
}
