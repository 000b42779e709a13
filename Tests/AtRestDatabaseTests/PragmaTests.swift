import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The pragmas of SQLCipher have true answers, or are refused.
struct PragmaTests {
  @Test(arguments: [
    ("cipher_page_size", "4096"), ("kdf_iter", "256000"), ("cipher_use_hmac", "1"),
    ("cipher_hmac_algorithm", "HMAC_SHA512"), ("cipher_kdf_algorithm", "PBKDF2_HMAC_SHA512"),
    ("cipher_plaintext_header_size", "0"), ("cipher_compatibility", "4"), ("cipher", "AES-256-CBC"),
    ("cipher_default_kdf_iter", "256000"), ("cipher_status", "1"),
  ])
  func settingsAreThoseOfTheFile(name: String, value: String) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.writeWithoutTransaction { db in
      let answer = try String.fetchOne(db, sql: "PRAGMA \(name)")
      #expect(answer == value)
      // The same value changes nothing, so it is accepted.
      try db.execute(sql: "PRAGMA \(name) = '\(value)'")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "PRAGMA \(name) = 7") }
    }
  }

  @Test(arguments: [
    "cipher_add_random = 1", "cipher_trace = 1", "cipher_log_level = DEBUG", "cipher_migrate",
    "cipher_memory_security = ON",
  ])
  func otherPragmasAreRefused(pragma: String) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    #expect(throws: DatabaseError.self) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA \(pragma)") }
    }
    // Control: a pragma of SQLite, and one that switches off what is not there.
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA cipher_log_level = NONE") }
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 3") }
  }

  @Test(arguments: [DatabaseFormat.sqlcipher4, .sqlcipher3])
  func theKeyIsCompared(format: DatabaseFormat) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue(format)
    try queue.writeWithoutTransaction { db in
      let answer = try String.fetchOne(db, sql: "PRAGMA key = \"x'\(Scratch.key)'\"")
      #expect(answer == "ok")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "PRAGMA key = 'other'") }
    }
    let phrase = SecretBytes(utf8: "wren")
    let other = try EncryptedDatabase.openQueue(
      at: scratch.folder.appendingPathComponent("other.db"), key: .passphrase(phrase),
      format: format, creating: true)
    let answer = try other.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA key = 'wren'")
    }
    #expect(answer == "ok")
  }

  @Test(arguments: [DatabaseFormat.sqlcipher4, .sqlcipher3])
  func damagedPagesAreListed(format: DatabaseFormat) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue(format)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(9000))")
    }
    try queue.writeWithoutTransaction { db in
      _ = try Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      let problems = try Row.fetchAll(db, sql: "PRAGMA cipher_integrity_check")
      #expect(problems.isEmpty)
    }
    let file = try FileHandle(forUpdating: scratch.file)
    try file.seek(toOffset: UInt64(2 * format.pageSize + 100))
    try file.write(contentsOf: Data([1, 2, 3, 4]))
    let found = try queue.writeWithoutTransaction {
      try String.fetchOne($0, sql: "PRAGMA cipher_integrity_check")
    }
    #expect(found == "HMAC verification failed for page 3")
    withExtendedLifetime(file) {}
  }
}
