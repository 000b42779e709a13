import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A crash left a database in plaintext in the middle of a transaction. Its journal has what is missing.
struct HotJournalImportTests {
  @Test func theJournalIsRolledBackFirst() throws {
    let scratch = try Scratch()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    let crashed = scratch.folder.appendingPathComponent("crashed.db")
    func suffixed(_ url: URL) -> URL { URL(fileURLWithPath: url.path + "-journal") }
    let queue = try DatabaseQueue(path: plain.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA cache_size = 1; CREATE TABLE t AS SELECT 7 AS a")
      try db.inTransaction {
        // More than the cache holds, so that journal and database are written.
        for _ in 0..<200 {
          try db.execute(sql: "INSERT INTO t VALUES(zeroblob(3000))")
        }
        for (from, to) in [(plain, crashed), (suffixed(plain), suffixed(crashed))] {
          try FileManager.default.copyItem(at: from, to: to)
        }
        return .rollback
      }
    }
    // The header with the number of pages is written before the last ones.
    var data = try Data(contentsOf: crashed)
    data.replaceSubrange(28..<32, with: [0, 0, 9, 9])
    try data.write(to: crashed)
    let key = try Scratch.rawKey()
    try EncryptedDatabase.importPlaintext(from: crashed, to: scratch.file, key: key)
    let copy = try EncryptedDatabase.openQueue(at: scratch.file, key: key)
    #expect(try copy.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [7])
    try copy.close()
    // Control: without its journal, the file is cut off.
    try data.write(to: crashed)
    #expect(!FileManager.default.fileExists(atPath: suffixed(crashed).path))
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.importPlaintext(
        from: crashed, to: scratch.folder.appendingPathComponent("other.db"), key: key)
    }
    #expect(error?.code == .damaged)
  }
}
