import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// `sqlcipher_export` copies the rows of a source however its name is written.
struct ExportSourceNameTests {
  @Test(arguments: ["main", "MAIN", "Main"]) func theCaseOfTheSourceDoesNotMatter(source: String)
    throws
  {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    let copy = scratch.folder.appendingPathComponent("copy.db")
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(1), (2)")
      try EncryptedDatabase.attach(copy, as: "copy", key: Scratch.rawKey(), creating: true, to: db)
      try db.execute(sql: "SELECT sqlcipher_export('copy', ?)", arguments: [source])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM copy.t") == 2)
    }
  }
}
