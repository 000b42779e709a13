import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Databases are copied into and out of AtRest's format, and get new keys in it.
struct ReplacementTests {
  @Test(arguments: [DatabaseFormat.sqlcipher4, .atrest], [DatabaseFormat.sqlcipher4, .atrest])
  func rekeyChangesKeyAndFormat(from old: DatabaseFormat, to new: DatabaseFormat) throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    let queue = try scratch.openQueue(old)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(7)") }
    try queue.close()
    for _ in 0..<3 {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: old, to: other, format: new)
      try EncryptedDatabase.rekey(at: scratch.file, key: other, format: new, to: key, format: old)
    }
    let again = try scratch.openQueue(old)
    #expect(try again.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
    try again.close()
    #expect(
      try EncryptedDatabase.verify(at: scratch.file, key: key, format: old).isIntact)
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: scratch.file, key: other, format: old).close()
    }
  }

  @Test func anOpenDatabaseGetsNoNewKey() throws {
    let scratch = try Scratch()
    try scratch.fill()
    let queue = try scratch.openQueue(.atrest)
    _ = try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    #expect {
      try EncryptedDatabase.rekey(
        at: scratch.file, key: Scratch.rawKey(), format: .atrest, to: other, format: .atrest)
    } throws: {
      AtRestError.Code.busy ~= $0
    }
    try queue.close()
    try EncryptedDatabase.rekey(
      at: scratch.file, key: Scratch.rawKey(), format: .atrest, to: other, format: .atrest)
    #expect(try scratch.rows(key: other).get().count == 5)
    #expect(scratch.refusal() == .authenticationFailed)
  }

  @Test func plaintextIsImportedAndExported() throws {
    let scratch = try Scratch()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    let back = scratch.folder.appendingPathComponent("back.db")
    let queue = try DatabaseQueue(path: plain.path)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES(1, 'walrus')")
    }
    try queue.close()
    let key = try Scratch.rawKey()
    try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: key, format: .atrest)
    #expect(try scratch.rows().get() == ["1=walrus"])
    #expect(try scratch.isCurrent())
    try EncryptedDatabase.exportPlaintext(
      from: scratch.file, key: key, format: .atrest, to: back)
    let copy = try DatabaseQueue(path: back.path)
    #expect(try copy.read { try String.fetchOne($0, sql: "SELECT b FROM t") } == "walrus")
  }

  @Test func aRandomKeyIsReplaced() throws {
    let scratch = try Scratch()
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    try scratch.fill(key: key)
    let before = try Data(contentsOf: scratch.file)
    try EncryptedDatabase.rekey(at: scratch.file, key: key, format: .atrest)
    #expect(try scratch.rows(key: key).get().count == 5)
    // The old file does not open under the new key.
    try before.write(to: scratch.file)
    #expect(
      scratch.refusal(key: key) == .authenticationFailed || scratch.refusal(key: key) == .damaged)
  }
}
