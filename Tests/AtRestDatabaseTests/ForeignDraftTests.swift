import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A file of another database lies where the draft of a new one would be. It is no draft, and its key stays.
struct ForeignDraftTests {
  private let scratch = try! Scratch()
  private var key: DatabaseKey {
    .keyFile(
      scratch.folder.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
  }

  /// Makes a database, and puts a copy of it beside one with the same name in another folder.
  private func other() throws -> URL {
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    try queue.close()
    let folder = scratch.folder.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let other = folder.appendingPathComponent("notes.db")
    try FileManager.default.copyItem(
      at: scratch.file, to: URL(fileURLWithPath: other.path + ".atrest-new"))
    return other
  }

  private func value(_ url: URL) throws -> Int? {
    let queue = try EncryptedDatabase.openQueue(at: url, key: key)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") }
  }

  @Test func aCreationLeavesItsKey() throws {
    let other = try other()
    try EncryptedDatabase.create(at: other, key: key)
    #expect(try value(scratch.file) == 7)
    // Control: the new database is another one.
    #expect(throws: DatabaseError.self) { try value(other) }
  }

  @Test func anImportLeavesItsKey() throws {
    let other = try other()
    let plain = scratch.folder.appendingPathComponent("plain.db")
    try DatabaseQueue(path: plain.path).write {
      try $0.execute(sql: "CREATE TABLE t AS SELECT 8 AS a")
    }
    try EncryptedDatabase.importPlaintext(from: plain, to: other, key: key)
    #expect(try value(scratch.file) == 7)
    #expect(try value(other) == 8)
  }

  @Test func anOpeningDoesNotTakeItForTheMissingFile() throws {
    let other = try other()
    try EncryptedDatabase.openQueue(at: other, key: key, creating: true).close()
    #expect(throws: DatabaseError.self) { try value(other) }
    #expect(try value(scratch.file) == 7)
  }
}
