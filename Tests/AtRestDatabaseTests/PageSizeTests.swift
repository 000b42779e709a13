import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Nothing gives a database pages that could not be read again.
struct PageSizeTests {
  @Test(arguments: ["delete", "wal", "memory"], [1024, 8192, 65_536])
  func vacuumKeepsTheSize(mode: String, pageSize: Int) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try Self.fill(queue)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(mode)")
      try db.execute(sql: "PRAGMA page_size = \(pageSize)")
      try db.execute(sql: "VACUUM")
    }
    try queue.close()
    try Self.check(scratch)
  }

  /// A backup would copy pages of another size, or without the reserve.
  @Test(arguments: [1024, 4096, 8192]) func aBackupOfPlaintextIsRefused(pageSize: Int) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try Self.fill(queue)
    let plain = try DatabaseQueue()
    try plain.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize); CREATE TABLE other(a)")
    }
    #expect(throws: DatabaseError.self) { try plain.backup(to: queue) }
    try queue.close()
    try Self.check(scratch)
  }

  /// Control: a backup of a database with the same sizes is allowed.
  @Test func aBackupBetweenEncryptedDatabasesIsAllowed() throws {
    let (scratch, other) = (try Scratch(), try Scratch())
    let queue = try scratch.openQueue()
    try Self.fill(queue)
    let copy = try other.openQueue()
    try queue.backup(to: copy)
    try copy.close()
    try Self.check(other)
    let bytes = try Data(contentsOf: other.file)
    #expect(!bytes.contains("walrus"))
  }

  @Test func rekeyByPragmaIsRefused() throws {
    let queue = try Scratch().openQueue()
    #expect(throws: DatabaseError.self) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA rekey = 'new'") }
    }
  }

  private static func fill(_ queue: DatabaseQueue) throws {
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      for row in 0..<200 {
        try db.execute(
          sql: "INSERT INTO t VALUES(?, 'walrus' || hex(zeroblob(100)))", arguments: [row])
      }
    }
  }

  private static func check(_ scratch: Scratch) throws {
    let queue = try scratch.openQueue()
    let found = try queue.read { db in
      try [
        String.fetchOne(db, sql: "SELECT count(*) FROM t WHERE b LIKE 'walrus%'"),
        String.fetchOne(db, sql: "PRAGMA integrity_check"),
        String.fetchOne(db, sql: "PRAGMA page_size"),
      ]
    }
    #expect(found == ["200", "ok", "4096"])
    try queue.close()
    let verification = try EncryptedDatabase.verify(at: scratch.file, key: Scratch.rawKey())
    #expect(verification.isIntact)
  }
}
