import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// With the wrong kind of header, a journal that a crash left is not rolled back.
struct WrongHeaderJournalTests {
  @Test(arguments: [false, true]) func nothingIsModified(isPlain: Bool) throws {
    let scratch = try Scratch()
    let raw = try DatabaseKey.raw(SecretBytes(Data(repeating: 7, count: 48)))
    var (right, wrong) = (DatabaseFormat.sqlcipher4, DatabaseFormat.sqlcipher4)
    right.hasPlaintextHeader = isPlain
    wrong.hasPlaintextHeader = !isPlain
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: raw, format: right, creating: true)
    // The state of the files in a transaction that has written pages, but not page 1.
    let crashed = try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE t(a INTEGER PRIMARY KEY, b);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
          INSERT INTO t SELECT i, randomblob(2000) FROM n;
          PRAGMA cache_size = 2;
          BEGIN IMMEDIATE;
          UPDATE t SET b = randomblob(2000);
          """)
      let contents = try scratch.contents()
      try db.execute(sql: "ROLLBACK")
      return contents
    }
    try queue.close()
    try scratch.restore(crashed)
    #expect(crashed["notes.db-journal"] != nil)
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: scratch.file, key: raw, format: wrong)
    }
    #expect(try scratch.contents() == crashed)
    // Control: with the right kind, it is rolled back.
    let other = try EncryptedDatabase.openQueue(at: scratch.file, key: raw, format: right)
    #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
    try other.close()
    #expect(try scratch.contents()["notes.db"] != crashed["notes.db"])
  }
}
