import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// Databases are copied between keys, formats and plaintext.
struct CopyTests {
  @Test(arguments: [1024, 4096, 16_384]) func plaintextIsImportedAndExported(pageSize: Int) throws {
    let scratch = try Scratch()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    let back = scratch.folder.appendingPathComponent("back.db")
    try Self.fill(DatabaseQueue(path: plain.path))
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = pageSize
    let key = try Scratch.rawKey()
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key, format: format)
    let pool = try scratch.openPool(format)
    try Self.check(pool)
    try pool.close()
    let sealed = try Data(contentsOf: scratch.file)
    #expect(!sealed.contains("walrus"))
    try EncryptedDatabase.exportPlaintext(from: scratch.file, key: key, format: format, to: back)
    try Self.check(DatabaseQueue(path: back.path))
    // Control: a copy does not replace a file.
    #expect {
      try EncryptedDatabase.exportPlaintext(from: scratch.file, key: key, format: format, to: back)
    } throws: {
      AtRestError.Code.duplicate ~= $0
    }
  }

  @Test(arguments: [
    DatabaseFormat.sqlcipher1, .sqlcipher2, .sqlcipher2BigEndian, .sqlcipher2Beta, .sqlcipher3,
  ])
  func olderVersionsAreMigrated(_ format: DatabaseFormat) throws {
    let scratch = try Scratch()
    let key = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
    try Self.fill(
      EncryptedDatabase.openQueue(at: scratch.file, key: key, format: format, creating: true))
    try EncryptedDatabase.rekey(
      at: scratch.file, key: key, format: format, to: key, format: .sqlcipher4)
    try Self.check(EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true))
  }

  @Test(arguments: [true, false]) func rekeyReplacesTheFile(usesLog: Bool) throws {
    let scratch = try Scratch()
    let old = try Scratch.rawKey()
    let new = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    if usesLog {
      let pool = try scratch.openPool()
      try Self.fill(pool)
      // Another connection is in use.
      #expect {
        try EncryptedDatabase.rekey(at: scratch.file, key: old, to: new)
      } throws: {
        AtRestError.Code.busy ~= $0
      }
      try pool.close()
    } else {
      let queue = try scratch.openQueue()
      try Self.fill(queue)
      try queue.close()
    }
    try EncryptedDatabase.rekey(at: scratch.file, key: old, to: new)
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: new, creating: true)
    try Self.check(queue)
    let mode = try queue.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") }
    #expect(mode == (usesLog ? "wal" : "delete"))
    try queue.close()
    #expect {
      _ = try scratch.openQueue()
    } throws: {
      AtRestError.Code.authenticationFailed ~= $0
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(!files.contains { $0.contains(".new-") })
  }

  /// A connection in rollback mode holds no lock while it is idle. It must not go on with the old file.
  @Test func aConnectionToTheOldFileGetsErrors() throws {
    let scratch = try Scratch()
    let left = try scratch.openQueue()
    try Self.fill(left)
    let new = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    try EncryptedDatabase.rekey(at: scratch.file, key: Scratch.rawKey(), to: new)
    #expect(throws: DatabaseError.self) {
      try left.write { try $0.execute(sql: "DELETE FROM t") }
    }
    try Self.check(EncryptedDatabase.openQueue(at: scratch.file, key: new, creating: true))
  }

  @Test func theItemGetsANewKey() throws {
    let scratch = try Scratch()
    let keychain = try Scratch.keychain()
    let key = DatabaseKey.item("notes", in: keychain)
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
    try Self.fill(queue)
    try queue.close()
    let before = try keychain.secret(for: item)
    try EncryptedDatabase.rekey(at: scratch.file, key: key)
    let after = try keychain.secret(for: item)
    #expect(after.count == before.count)
    let isSame = after.isEqual(to: before)
    #expect(!isSame)
    try Self.check(EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true))
  }

  @Test func verificationNamesDamagedPages() throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try Self.fill(queue)
    try queue.close()
    let key = try Scratch.rawKey()
    let intact = try EncryptedDatabase.verify(at: scratch.file, key: key)
    #expect(intact.isIntact)
    #expect(intact.pageCount > 5)
    try scratch.flip(at: 4 * 4096 + 17)
    let damaged = try EncryptedDatabase.verify(at: scratch.file, key: key)
    #expect(damaged.damagedPages == [5])
    #expect(!damaged.isIntact)
  }

  private static func fill(_ writer: some DatabaseWriter) throws {
    try writer.write { db in
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
      try db.execute(sql: "CREATE VIRTUAL TABLE f USING fts5(b)")
      for row in 0..<300 {
        try db.execute(sql: "INSERT INTO t VALUES(?, ?)", arguments: [row * 7, "walrus \(row)"])
        try db.execute(sql: "INSERT INTO f VALUES(?)", arguments: ["walrus number\(row)"])
      }
    }
  }

  private static func check(_ reader: some DatabaseReader) throws {
    let found = try reader.read { db in
      try [
        String.fetchOne(db, sql: "SELECT b FROM t WHERE a = 1400"),
        String.fetchOne(db, sql: "SELECT b FROM f WHERE f MATCH 'number200'"),
        String.fetchOne(db, sql: "SELECT count(*) FROM t"),
        String.fetchOne(db, sql: "PRAGMA integrity_check"),
      ]
    }
    #expect(found == ["walrus 200", "walrus number200", "300", "ok"])
  }
}
