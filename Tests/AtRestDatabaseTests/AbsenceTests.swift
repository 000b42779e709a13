import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A database that is missing or empty is not taken for a new one.
struct AbsenceTests {
  private let scratch = try! Scratch()
  private let keychain = try! Scratch.keychain()
  private var item: DatabaseKey { .item("notes", in: keychain) }

  private func code(_ key: DatabaseKey, creating: Bool = false) -> AtRestError.Code? {
    do {
      try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: creating).close()
      return nil
    } catch {
      return (error as? AtRestError)?.code ?? .system
    }
  }

  private func fill(_ key: DatabaseKey) throws {
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try queue.close()
  }

  @Test func aMissingDatabaseIsNotMade() throws {
    for key in try [item, Scratch.rawKey()] {
      #expect(code(key) == .notFound)
      #expect(throws: AtRestError.self) { try EncryptedDatabase.open(at: scratch.file, key: key) }
      #expect(throws: AtRestError.self) { try EncryptedDatabase.verify(at: scratch.file, key: key) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == [])
    #expect(throws: AtRestError.self) { try EncryptedDatabase.keys(of: item) }
    // Control: creating is a decision.
    #expect(code(item, creating: true) == nil)
    #expect(code(item) == nil)
  }

  @Test func anEmptyFileIsDamaged() throws {
    for key in try [item, Scratch.rawKey()] {
      try Data().write(to: scratch.file)
      #expect(code(key) == .damaged)
      #expect(code(key, creating: true) == .damaged)
      #expect(throws: AtRestError.self) { try EncryptedDatabase.create(at: scratch.file, key: key) }
      #expect(try Data(contentsOf: scratch.file).isEmpty)
    }
  }

  /// The key says that there was a database with this name.
  @Test func aMissingDatabaseWithAKeyIsDamaged() throws {
    try fill(item)
    try FileManager.default.removeItem(at: scratch.file)
    #expect(code(item) == .damaged)
    #expect(code(item, creating: true) == .damaged)
    // The way out, and its control.
    try EncryptedDatabase.create(at: scratch.file, key: item)
    #expect(code(item) == nil)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.create(at: scratch.file, key: item)
    }
    #expect(error?.code == .duplicate)
  }

  /// The other database never was at this path.
  @Test func aDatabaseOfTheSameNameInAnotherFolderIsMade() throws {
    try fill(item)
    let folder = scratch.folder.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let other = folder.appendingPathComponent("notes.db")
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: other, key: item).close()
    }
    #expect(error?.code == .notFound)
    try EncryptedDatabase.openQueue(at: other, key: item, creating: true).close()
    #expect(try EncryptedDatabase.keys(of: item).count == 2)
    #expect(code(item) == nil)
    // Control: from now on, it was.
    try FileManager.default.removeItem(at: other)
    let lost = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: other, key: item, creating: true).close()
    }
    #expect(lost?.code == .damaged)
  }

  @Test func aLinkToAMissingFileIsNamed() throws {
    try FileManager.default.createSymbolicLink(
      at: scratch.file, withDestinationURL: scratch.folder.appendingPathComponent("missing"))
    for isCreated in [false, true] {
      let error = #expect(throws: AtRestError.self) {
        if isCreated {
          try EncryptedDatabase.create(at: scratch.file, key: item)
        } else {
          try EncryptedDatabase.openQueue(at: scratch.file, key: item, creating: true).close()
        }
      }
      #expect(error?.message.contains("symbolic link") == true, "\(String(describing: error))")
    }
  }

  /// SQLite would remove a log or a journal whose database is empty. The copy of a rekey may be all that there is.
  @Test(arguments: ["-wal", "-journal", ".atrest-rekey"]) func aLogWithoutItsDatabaseStays(
    suffix: String
  ) throws {
    let log = URL(fileURLWithPath: scratch.file.path + suffix)
    try Data("committed".utf8).write(to: log)
    let key = try Scratch.rawKey()
    #expect(code(key) == .damaged)
    #expect(code(key, creating: true) == .damaged)
    #expect(throws: AtRestError.self) { try EncryptedDatabase.create(at: scratch.file, key: key) }
    #expect(try Data(contentsOf: log) == Data("committed".utf8))
    try FileManager.default.removeItem(at: log)
    #expect(code(key, creating: true) == nil)
  }

  /// Attaching a database follows the same rule.
  @Test func anAttachmentIsNotMade() throws {
    let queue = try scratch.openQueue()
    let other = scratch.folder.appendingPathComponent("other.db")
    queue.writeWithoutTransaction { db in
      let error = #expect(throws: AtRestError.self) {
        try EncryptedDatabase.attach(other, as: "other", key: Scratch.rawKey(), to: db)
      }
      #expect(error?.code == .notFound)
      #expect(throws: DatabaseError.self) {
        try db.execute(sql: "ATTACH 'file:\(other.path)?vfs=atrest' AS other")
      }
    }
    #expect(!FileManager.default.fileExists(atPath: other.path))
  }

  @Test func aNewFileIsPrivate() throws {
    try EncryptedDatabase.create(at: scratch.file, key: item)
    let mode = try FileManager.default.attributesOfItem(atPath: scratch.file.path)[
      .posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  /// Several threads that create the same database agree on one.
  @Test func simultaneousCreationsMakeOneDatabase() async throws {
    let (file, key) = (scratch.file, item)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<6 {
        group.addTask {
          var configuration = Configuration()
          configuration.busyMode = .timeout(20)
          let queue = try EncryptedDatabase.openQueue(
            at: file, key: key, creating: true, configuration: configuration)
          try await queue.write { db in
            try db.execute(sql: "CREATE TABLE t\(number)(a)")
          }
          try queue.close()
        }
      }
      try await group.waitForAll()
    }
    let queue = try EncryptedDatabase.openQueue(at: file, key: key)
    let count = try await queue.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_schema")
    }
    #expect(count == 6)
    #expect(try EncryptedDatabase.keys(of: key).count == 1)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(names == ["notes.db"])
  }
}
