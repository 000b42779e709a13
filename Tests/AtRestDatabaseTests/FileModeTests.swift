import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Nobody else can read the files of a new database.
struct FileModeTests {
  private func modes(in scratch: Scratch) throws -> [String: Int] {
    var modes: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) {
      let path = scratch.folder.appendingPathComponent(name).path
      modes[name] =
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    return modes
  }

  @Test func aLogAndItsIndex() throws {
    let scratch = try Scratch()
    let pool = try scratch.openPool()
    try pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    #expect(
      try modes(in: scratch) == ["notes.db": 0o600, "notes.db-wal": 0o600, "notes.db-shm": 0o600])
  }

  @Test func aJournal() throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a)")
      #expect(try modes(in: scratch) == ["notes.db": 0o600, "notes.db-journal": 0o600])
    }
  }

  @Test func anAttachedDatabaseAndACopy() throws {
    let scratch = try Scratch()
    let (other, copy) = (scratch.folder.appendingPathComponent("other.db"), scratch.url(".copy"))
    let queue = try scratch.openQueue()
    let key = try Scratch.rawKey()
    try queue.writeWithoutTransaction { db in
      try EncryptedDatabase.attach(other, as: "other", key: key, creating: true, to: db)
      try db.execute(sql: "CREATE TABLE other.t(a)")
    }
    try queue.close()
    try EncryptedDatabase.copy(from: other, key: key, to: copy, key: key)
    let modes = try modes(in: scratch)
    #expect(modes["other.db"] == 0o600)
    #expect(modes["notes.db.copy"] == 0o600)
  }

  /// A database that exists keeps its mode, and SQLite gives journal and log the same one.
  @Test func theModeOfAnExistingDatabaseStays() throws {
    let scratch = try Scratch()
    try scratch.fill()
    #expect(chmod(scratch.file.path, 0o640) == 0)
    let pool = try scratch.openPool()
    try pool.write { try $0.execute(sql: "UPDATE t SET b = 2") }
    #expect(try modes(in: scratch)["notes.db"] == 0o640)
    #expect(try modes(in: scratch)["notes.db-wal"] == 0o640)
  }
}
