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
      Self.code { _ = try EncryptedDatabase.open(at: scratch.file, key: other) }
        == .authenticationFailed)
    // Control.
    #expect(Self.code { _ = try scratch.openPool() } == nil)
  }

  @Test func aWrongPassphraseIsRefused() throws {
    let scratch = try Scratch()
    let right = DatabaseKey.passphrase(SecretBytes(utf8: "right"))
    try EncryptedDatabase.openQueue(at: scratch.file, key: right).close()
    #expect(
      Self.code {
        _ = try EncryptedDatabase.open(at: scratch.file, passphrase: SecretBytes(utf8: "wrong"))
      } == .authenticationFailed)
    #expect(Self.code { _ = try EncryptedDatabase.openQueue(at: scratch.file, key: right) } == nil)
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
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: .sqlcipher3).close()
    let error = Self.error { _ = try EncryptedDatabase.openQueue(at: scratch.file, key: key) }
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
