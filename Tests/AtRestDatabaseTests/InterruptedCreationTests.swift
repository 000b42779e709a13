import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A process was killed when a new database was whole and had its key, and did not have its name.
struct InterruptedCreationTests {
  private let scratch = try! Scratch()
  private let keychain = try! Scratch.keychain()
  private var key: DatabaseKey { .item("notes", in: keychain) }

  private func interrupt(_ format: DatabaseFormat = .sqlcipher4) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    try queue.close()
    // The record has the salt twice until the file is known to be in its place: see docs/Formats.md.
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
    var record = Data(copying: try keychain.secret(for: item))
    record.replaceSubrange(28..<44, with: record[12..<28])
    try keychain.update(item, secret: SecretBytes(record))
    try FileManager.default.moveItem(
      atPath: scratch.file.path, toPath: scratch.file.path + ".atrest-new")
  }

  @Test func theNextOpeningEndsIt() throws {
    try interrupt()
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
    #expect(try EncryptedDatabase.keys(of: key).count == 1)
  }

  @Test func oneWithAPlaintextHeaderIsEndedToo() throws {
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    try interrupt(format)
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
  }

  @Test func aNewDatabaseIsEmptyAllTheSame() throws {
    try interrupt()
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema") } == 0)
    #expect(try EncryptedDatabase.keys(of: key).count == 1)
  }

  @Test func anImportTakesItsPlace() throws {
    try interrupt()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    try DatabaseQueue(path: plain.path).write {
      try $0.execute(sql: "CREATE TABLE t AS SELECT 8 AS a")
    }
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key)
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key)
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 8)
    #expect(try EncryptedDatabase.keys(of: key).count == 1)
  }
}
