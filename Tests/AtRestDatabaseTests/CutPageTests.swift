import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A database that ends within its last page. SQLite takes what is missing for zeros.
struct CutPageTests {
  /// Makes a database whose last page has rows, and cuts bytes off its end.
  private func cut(_ bytes: Int, in scratch: Scratch) throws -> Data {
    let queue = try scratch.openQueue()
    try queue.write { db in
      try db.execute(
        sql: "CREATE TABLE kept(a); INSERT INTO kept VALUES('kept'); CREATE TABLE t(a)")
      for row in 0..<3_000 {
        try db.execute(sql: "INSERT INTO t VALUES(?)", arguments: ["row \(row)"])
      }
    }
    try queue.close()
    let whole = try Data(contentsOf: scratch.file)
    let file = try FileHandle(forWritingTo: scratch.file)
    try file.truncate(atOffset: UInt64(whole.count - bytes))
    try file.close()
    return whole
  }

  @Test(arguments: [1, 100, 4_000, 4_095])
  func aRekeyRefusesItAndKeepsTheKey(bytes: Int) throws {
    let scratch = try Scratch()
    let whole = try cut(bytes, in: scratch)
    let before = try scratch.contents()
    let key = try Scratch.rawKey()
    let new = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
    for format in [DatabaseFormat.sqlcipher4, .sqlcipher3] {
      let error = #expect(throws: AtRestError.self) {
        try EncryptedDatabase.rekey(
          at: scratch.file, key: key, format: .sqlcipher4, to: new, format: format)
      }
      #expect(error?.code == .damaged)
    }
    #expect(try scratch.contents() == before)
    // Control: the whole file is encrypted again.
    try whole.write(to: scratch.file)
    try EncryptedDatabase.rekey(at: scratch.file, key: key, to: new)
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: new)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 3_000)
  }

  @Test(arguments: [1, 100, 4_095])
  func aVerificationNamesThePage(bytes: Int) throws {
    let scratch = try Scratch()
    let pages = try cut(bytes, in: scratch).count / 4_096
    let verification = try EncryptedDatabase.verify(at: scratch.file, key: Scratch.rawKey())
    #expect(verification.damagedPages == [pages])
    #expect(verification.pageCount == pages)
  }

  @Test(arguments: [1, 100, 512, 4_096])
  func anImportRefusesIt(bytes: Int) throws {
    let scratch = try Scratch()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    let queue = try DatabaseQueue(path: plain.path)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a)")
      for row in 0..<3_000 {
        try db.execute(sql: "INSERT INTO t VALUES(?)", arguments: ["row \(row)"])
      }
    }
    try queue.close()
    let whole = try Data(contentsOf: plain)
    try whole.dropLast(bytes).write(to: plain)
    let key = try Scratch.rawKey()
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key)
    }
    #expect(error?.code == .damaged)
    #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
    // Control: bytes after the last page are no part of the database.
    try (whole + Data(count: 100)).write(to: plain)
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key)
  }
}
