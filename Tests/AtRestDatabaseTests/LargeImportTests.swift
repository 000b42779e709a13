import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A database with many tables is imported and exported with pages of every size. SQLite then needs temporary files,
/// which must stay in memory.
struct LargeImportTests {
  @Test(arguments: [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])
  func manyTables(pageSize: Int) throws {
    let scratch = try Scratch()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    let back = scratch.folder.appendingPathComponent("back.db")
    // Each table has a page, so 3,000 of them are 190 MB in the largest size.
    let count = Ledger.isLong ? 3_000 : min(3_000, 3_000 * 16_384 / pageSize)
    let queue = try DatabaseQueue(path: plain.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA page_size = 512")
      try db.inTransaction {
        for table in 0..<count {
          try db.execute(sql: "CREATE TABLE t\(table)(a); INSERT INTO t\(table) VALUES(\(table))")
        }
        return .commit
      }
    }
    try queue.close()
    // Pages of 512 bytes have no space for an HMAC.
    var format = pageSize == 512 ? DatabaseFormat.sqlcipher1 : .sqlcipher4
    format.pageSize = pageSize
    let key = try Scratch.rawKey()
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key, format: format)
    try EncryptedDatabase.exportPlaintext(from: scratch.file, key: key, format: format, to: back)
    let copy = try DatabaseQueue(path: back.path)
    let found = try copy.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    }
    #expect(found == count)
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT a FROM t\(count - 1)") } == count - 1)
  }
}
