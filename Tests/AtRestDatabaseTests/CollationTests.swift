import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A database with a collation of the application is not damaged, and gets new keys.
struct CollationTests {
  private static let configuration: Configuration = {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        collation: DatabaseCollation("german") { first, second in
          first.lowercased().compare(second.lowercased())
        })
      db.add(function: DatabaseFunction("shorter", argumentCount: 1, pure: true) { _ in 1 })
    }
    return configuration
  }()

  private let scratch: Scratch
  private let key: DatabaseKey
  private let plain: URL

  init() throws {
    scratch = try Scratch()
    key = .item("notes", in: try Scratch.keychain())
    plain = scratch.folder.appendingPathComponent("plain.db")
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, creating: true, configuration: Self.configuration)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a TEXT COLLATE german)")
      try db.execute(sql: "CREATE INDEX i ON t(a COLLATE german)")
      try db.execute(sql: "CREATE INDEX j ON t(shorter(a))")
      try db.execute(sql: "INSERT INTO t VALUES('a'), ('B')")
    }
    try queue.close()
  }

  @Test func itIsVerified() throws {
    let plain = try EncryptedDatabase.verify(at: scratch.file, key: key)
    #expect(plain.isIntact)
    let reason = try #require(plain.uncheckedReason)
    #expect(reason.contains("german") || reason.contains("shorter"), "\(reason)")
    let whole = try EncryptedDatabase.verify(
      at: scratch.file, key: key, configuration: Self.configuration)
    #expect(whole.isIntact && whole.uncheckedReason == nil)
    // Control: a page that is not authentic is found all the same.
    try scratch.flip(at: 2 * 4_096 + 9)
    #expect(try EncryptedDatabase.verify(at: scratch.file, key: key).damagedPages == [3])
  }

  /// A new key needs no collation, because the pages are copied as they are.
  @Test func itGetsANewKey() throws {
    try EncryptedDatabase.rekey(at: scratch.file, key: key)
    try check(key)
  }

  @Test func itIsCopiedWithTheConfiguration() throws {
    let url = scratch.file
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.exportPlaintext(from: url, key: key, to: plain)
    }
    // SQLite's own message.
    #expect(error?.code == .system && "\(error!)".contains("no such "))
    #expect(!FileManager.default.fileExists(atPath: plain.path))
    try EncryptedDatabase.exportPlaintext(
      from: url, key: key, to: plain, configuration: Self.configuration)
    let raw = try Scratch.rawKey()
    let copy = scratch.folder.appendingPathComponent("copy.db")
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.importPlaintext(from: plain, to: copy, key: raw)
    }
    try EncryptedDatabase.importPlaintext(
      from: plain, to: copy, key: raw, configuration: Self.configuration)
    try check(raw, copy)
    let last = scratch.folder.appendingPathComponent("last.db")
    try EncryptedDatabase.copy(
      from: url, key: key, to: last, key: raw, configuration: Self.configuration)
    try check(raw, last)
    // Another format, whose pages are written by SQLite.
    try EncryptedDatabase.rekey(
      at: url, key: key, newFormat: .sqlcipher3, configuration: Self.configuration)
    try check(key, format: .sqlcipher3)
  }

  private func check(
    _ key: DatabaseKey, _ url: URL? = nil, format: DatabaseFormat = .sqlcipher4
  ) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: url ?? scratch.file, key: key, format: format, configuration: Self.configuration)
    let rows = try queue.read { try String.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
    #expect(rows == ["a", "B"])
    try queue.close()
  }
}
