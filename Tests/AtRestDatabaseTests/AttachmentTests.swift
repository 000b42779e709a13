import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Encrypted databases are attached with their own key and format.
struct AttachmentTests {
  private static let formats = [DatabaseFormat.sqlcipher4, .sqlcipher3]

  @Test(arguments: formats, formats)
  func rowsMoveBetweenDatabases(main: DatabaseFormat, attached: DatabaseFormat) throws {
    let scratch = try Scratch()
    let other = scratch.folder.appendingPathComponent("archive.db")
    let key = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    let queue = try scratch.openQueue(main)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(7)")
      try EncryptedDatabase.attach(
        other, as: "the archive", key: key, format: attached, creating: true, to: db)
      try db.inTransaction {
        try db.execute(sql: "CREATE TABLE \"the archive\".t(a)")
        try db.execute(sql: "INSERT INTO \"the archive\".t SELECT a FROM main.t")
        try db.execute(sql: "DELETE FROM main.t")
        return .commit
      }
      try db.execute(sql: "DETACH \"the archive\"")
    }
    let archive = try EncryptedDatabase.openQueue(
      at: other, key: key, format: attached, creating: true)
    #expect(try archive.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
    try archive.close()
    #expect(try EncryptedDatabase.verify(at: other, key: key, format: attached).isIntact)
  }

  @Test(arguments: formats) func theWrongKeyIsRefused(format: DatabaseFormat) throws {
    let scratch = try Scratch()
    let other = scratch.folder.appendingPathComponent("archive.db")
    let key = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    let archive = try EncryptedDatabase.openQueue(
      at: other, key: key, format: format, creating: true)
    try archive.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try archive.close()
    try scratch.openQueue().writeWithoutTransaction { db in
      let error = #expect(throws: AtRestError.self) {
        try EncryptedDatabase.attach(
          other, as: "archive", key: Scratch.rawKey(), format: format, creating: true, to: db)
      }
      #expect(error?.code == .authenticationFailed)
      // Control.
      try EncryptedDatabase.attach(
        other, as: "archive", key: key, format: format, creating: true, to: db)
    }
  }

  /// SQLite writes temporary files through the VFS of the main database.
  @Test func aMainDatabaseInPlaintextIsRefused() throws {
    let scratch = try Scratch()
    let plain = try DatabaseQueue(path: scratch.folder.appendingPathComponent("plain.db").path)
    let error = #expect(throws: AtRestError.self) {
      try plain.writeWithoutTransaction {
        try EncryptedDatabase.attach(
          scratch.file, as: "secret", key: Scratch.rawKey(), creating: true, to: $0)
      }
    }
    #expect(error?.code == .invalidArgument)
  }
}
