import AtRestCrypto
import AtRestDatabase
import AtRestSimulation
import Foundation
import GRDB
import Testing

/// Each reason why a database does not open has an error of its own.
struct ErrorTests {
  @Test func aWrongKeyIsRefused() throws {
    let scratch = try Self.filled()
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 7, count: 32)))
    #expect(
      Self.code { _ = try EncryptedDatabase.open(at: scratch.file, key: other, creating: true) }
        == .authenticationFailed)
    // Control.
    #expect(Self.code { _ = try scratch.openPool() } == nil)
  }

  @Test func aWrongPassphraseIsRefused() throws {
    let scratch = try Scratch()
    let right = DatabaseKey.passphrase(SecretBytes(utf8: "right"))
    try EncryptedDatabase.openQueue(at: scratch.file, key: right, creating: true).close()
    #expect(
      Self.code {
        _ = try EncryptedDatabase.open(
          at: scratch.file, passphrase: SecretBytes(utf8: "wrong"), creating: true)
      } == .authenticationFailed)
    #expect(
      Self.code {
        _ = try EncryptedDatabase.openQueue(at: scratch.file, key: right, creating: true)
      } == nil)
  }

  /// A flipped bit in each of several pages.
  @Test(arguments: [1, 2, 5]) func aDamagedPageIsRefused(page: Int) throws {
    let scratch = try Self.filled()
    try scratch.flip(at: (page - 1) * 4096 + 100)
    let error = Self.error {
      let queue = try scratch.openQueue()
      try queue.read { db in
        _ = try Int.fetchOne(db, sql: "SELECT sum(length(b)) FROM t")
      }
    }
    if page == 1 {
      #expect((error as? AtRestError)?.code == .damaged)
      #expect("\(error!)".contains("Page 1"))
    } else {
      #expect((error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_DATA)
    }
  }

  @Test func aDatabaseInPlaintextIsNamed() throws {
    let scratch = try Scratch()
    let plain = try DatabaseQueue(path: scratch.file.path)
    try plain.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try plain.close()
    #expect(Self.code { _ = try scratch.openPool() } == .notProtected)
    #expect(Self.code { _ = try scratch.openQueue() } == .notProtected)
  }

  @Test func otherPageSizesAreNamed() throws {
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = 8192
    let scratch = try Self.filled(format)
    let error = Self.error { _ = try scratch.openQueue() }
    #expect((error as? AtRestError)?.code == .invalidArgument)
    #expect("\(error!)".contains("8192"))
  }

  @Test func otherVersionsAreNamed() throws {
    let scratch = try Scratch()
    let key = DatabaseKey.passphrase(SecretBytes(utf8: "phrase"))
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: .sqlcipher3, creating: true)
      .close()
    let error = Self.error {
      _ = try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true)
    }
    #expect((error as? AtRestError)?.code == .invalidArgument)
    #expect("\(error!)".contains("SQLCipher 3"))
  }

  @Test func otherFilesAreRefused() throws {
    let scratch = try Scratch()
    for contents in [Data("short".utf8), Data(repeating: 0, count: 8192), Data(count: 5000)] {
      try contents.write(to: scratch.file)
      let code = Self.code { _ = try scratch.openQueue() }
      #expect(code == .authenticationFailed || code == .damaged)
      #expect(try Data(contentsOf: scratch.file) == contents)
    }
  }

  @Test func invalidFormatsAreRefused() throws {
    let scratch = try Scratch()
    for pageSize in [0, 512, 1000, 131_072] {
      var format = DatabaseFormat.sqlcipher4
      format.pageSize = pageSize
      #expect(Self.code { _ = try scratch.openQueue(format) } == .invalidArgument)
    }
    #expect(throws: AtRestError.self) { try DatabaseKey.raw(SecretBytes(Data(count: 31))) }
  }

  /// The first reason is reported, not the attempt to open the file again.
  @Test func aMissingFolderIsNotBusy() throws {
    let scratch = try Scratch()
    let file = scratch.folder.appendingPathComponent("none/notes.db")
    let key = try Scratch.rawKey()
    #expect(
      Self.code { _ = try EncryptedDatabase.openQueue(at: file, key: key, creating: true) }
        == .system)
  }

  @Test func theCallersTemporaryTablesStay() throws {
    let scratch = try Scratch()
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "CREATE TEMP TABLE kept(a)") }
    let queue = try scratch.openQueue(.sqlcipher4, configuration)
    try queue.write { try $0.execute(sql: "INSERT INTO kept VALUES (1)") }
  }

  /// Frames of two pages are exchanged while a connection reads the log.
  @Test func exchangedFramesAreRefused() throws {
    let scratch = try Scratch()
    let pool = try scratch.openPool()
    try pool.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      try db.inTransaction {
        for row in 0..<200 {
          try db.execute(sql: "INSERT INTO t VALUES(?, zeroblob(400))", arguments: [row])
        }
        return .commit
      }
    }
    let log = URL(fileURLWithPath: scratch.file.path + "-wal")
    let handle = try FileHandle(forUpdating: log)
    let (frame, size) = (24 + 4096, try Data(contentsOf: log).count)
    let count = (size - 32) / frame
    func bytes(_ number: Int) throws -> Data {
      try handle.seek(toOffset: UInt64(32 + number * frame))
      return try handle.read(upToCount: frame) ?? Data()
    }
    func put(_ data: Data, _ number: Int) throws {
      try handle.seek(toOffset: UInt64(32 + number * frame))
      try handle.write(contentsOf: data)
    }
    let (one, other) = (try bytes(count - 3), try bytes(count - 5))
    #expect(one.prefix(4) != other.prefix(4))
    try put(other, count - 3)
    try put(one, count - 5)
    // A new reader has no pages in its cache.
    let error = Self.error {
      _ = try pool.read { try Int.fetchOne($0, sql: "SELECT sum(length(b)) FROM t") }
    }
    #expect((error as? DatabaseError)?.extendedResultCode == .SQLITE_IOERR_DATA)
    // Control: put back, the rows are read.
    try put(one, count - 3)
    try put(other, count - 5)
    let sum = try pool.read { try Int.fetchOne($0, sql: "SELECT sum(length(b)) FROM t") }
    #expect(sum == 80_000)
  }

  /// The log of a database in plaintext, put beside the file, is not read.
  @Test(arguments: [1024, 4096, 8192]) func aLogInPlaintextIsRefused(pageSize: Int) throws {
    let scratch = try Self.filled()
    let other = try Scratch()
    let plain = try DatabaseQueue(path: other.file.path)
    try plain.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA journal_mode = wal")
      try db.execute(sql: "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'forged')")
    }
    try FileManager.default.copyItem(
      atPath: other.file.path + "-wal", toPath: scratch.file.path + "-wal")
    let error = Self.error {
      let queue = try scratch.openQueue()
      _ = try queue.read { try String.fetchAll($0, sql: "SELECT b FROM t") }
    }
    #expect(error != nil)
  }

  private static func filled(_ format: DatabaseFormat = .sqlcipher4) throws -> Scratch {
    let scratch = try Scratch()
    let queue = try scratch.openQueue(format)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      for row in 0..<100 {
        try db.execute(sql: "INSERT INTO t VALUES(?, zeroblob(400))", arguments: [row])
      }
    }
    try queue.close()
    return scratch
  }

  private static func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private static func code(_ body: () throws -> Void) -> AtRestError.Code? {
    error(body).map { ($0 as? AtRestError)?.code ?? .system }
  }
}
