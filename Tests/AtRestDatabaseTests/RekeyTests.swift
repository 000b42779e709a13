import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// `rekey` keeps the format that it finds, and what it would harm is refused.
struct RekeyTests {
  private let scratch = try! Scratch()

  private func fill(
    _ key: DatabaseKey, _ format: DatabaseFormat, usesLog: Bool = false
  ) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true)
    try queue.writeWithoutTransaction { db in
      if usesLog { try db.execute(sql: "PRAGMA journal_mode = wal") }
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      for row in 0..<200 {
        try db.execute(sql: "INSERT INTO t VALUES(?, zeroblob(300))", arguments: [row])
      }
      try db.execute(sql: "DELETE FROM t WHERE a > 150")
    }
    try queue.close()
  }

  private func check(_ key: DatabaseKey, _ format: DatabaseFormat, mode: String = "delete") throws {
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: format)
    let found = try queue.read { db in
      try [
        String.fetchOne(db, sql: "SELECT count(*) FROM t"),
        String.fetchOne(db, sql: "PRAGMA integrity_check"),
        String.fetchOne(db, sql: "PRAGMA page_size"),
        String.fetchOne(db, sql: "PRAGMA journal_mode"),
      ]
    }
    #expect(found == ["151", "ok", "\(format.pageSize)", mode])
    try queue.close()
    #expect(try EncryptedDatabase.verify(at: scratch.file, key: key, format: format).isIntact)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(
      !names.contains { $0.contains(".atrest-") })
  }

  private static func format(_ pageSize: Int, header: Bool, rounds: Int = 1_000) -> DatabaseFormat {
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = pageSize
    format.rounds = rounds
    format.hasPlaintextHeader = header
    return format
  }

  @Test(arguments: [1_024, 16_384, 65_536], [false, true])
  func aPassphraseKeepsTheFormat(pageSize: Int, header: Bool) throws {
    let format = Self.format(pageSize, header: header)
    let salt = header ? Data(repeating: 5, count: 16) : nil
    let old = DatabaseKey.passphrase(SecretBytes(utf8: "wren"), salt: salt)
    try fill(old, format)
    // The salt is that of the file, if the new key has none.
    try EncryptedDatabase.rekey(
      at: scratch.file, key: old, format: format, to: .passphrase(SecretBytes(utf8: "otter")))
    try check(.passphrase(SecretBytes(utf8: "otter"), salt: salt), format)
    #expect(throws: AtRestError.self) { try check(old, format) }
  }

  @Test(arguments: [false, true], [false, true])
  func anItemKeepsTheFormat(header: Bool, usesLog: Bool) throws {
    let format = Self.format(8_192, header: header)
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    try fill(key, format, usesLog: usesLog)
    for _ in 0..<2 {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: format)
      try check(key, format, mode: usesLog ? "wal" : "delete")
    }
  }

  @Test func theFormatWithoutHMACIsKept() throws {
    let old = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
    try fill(old, .sqlcipher1)
    let new = DatabaseKey.passphrase(SecretBytes(utf8: "otter"))
    try EncryptedDatabase.rekey(at: scratch.file, key: old, format: .sqlcipher1, to: new)
    try check(new, .sqlcipher1)
    // Control: another one, if it is named.
    try EncryptedDatabase.rekey(
      at: scratch.file, key: new, format: .sqlcipher1, to: old, format: .sqlcipher4)
    try check(old, .sqlcipher4)
  }

  @Test func anotherNameOfTheFileIsNotDestroyed() throws {
    let key = try Scratch.rawKey()
    try fill(key, .sqlcipher4)
    let before = try Data(contentsOf: scratch.file)
    let other = scratch.folder.appendingPathComponent("other.db")
    try FileManager.default.linkItem(at: scratch.file, to: other)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, to: key)
    }
    #expect(error?.code == .invalidArgument)
    #expect(try Data(contentsOf: other) == before)
    try FileManager.default.removeItem(at: other)
    try FileManager.default.createSymbolicLink(at: other, withDestinationURL: scratch.file)
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: other, key: key, to: key)
    }
    try FileManager.default.removeItem(at: other)
    // Control.
    try EncryptedDatabase.rekey(at: scratch.file, key: key, to: key)
    try check(key, .sqlcipher4)
  }

  /// A page that is not authentic is not made authentic.
  @Test func damageIsNotCopied() throws {
    let key = try Scratch.rawKey()
    try fill(key, .sqlcipher4)
    try scratch.flip(at: 5 * 4_096 + 77)
    let before = try Data(contentsOf: scratch.file)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, to: key)
    }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: scratch.file) == before)
  }

  /// An item and a key file that fail to take the new key leave the database as it is.
  @Test func aKeyThatCannotBeStoredChangesNothing() throws {
    let keyFile = scratch.folder.appendingPathComponent("keys")
    let wren = DatabaseKey.keyFile(
      keyFile, passphrase: SecretBytes(utf8: "wren"), kdf: .pbkdf2SHA512())
    try fill(wren, .sqlcipher4)
    let before = try Data(contentsOf: scratch.file)
    // Another passphrase than that of the key file.
    let otter = DatabaseKey.keyFile(
      keyFile, passphrase: SecretBytes(utf8: "otter"), kdf: .pbkdf2SHA512())
    for _ in 0..<3 {
      #expect(throws: AtRestError.self) {
        try EncryptedDatabase.rekey(at: scratch.file, key: wren, to: otter)
      }
    }
    #expect(try Data(contentsOf: scratch.file) == before)
    try check(wren, .sqlcipher4)
    #expect(try EncryptedDatabase.keys(of: wren).count == 1)
  }

  /// Changes of the passphrase, and rekeys of two databases, at the same time.
  @Test func rekeysAndPassphrasesExcludeEachOther() async throws {
    let keyFile = scratch.folder.appendingPathComponent("keys")
    @Sendable func key(_ phrase: String) -> DatabaseKey {
      .keyFile(keyFile, passphrase: SecretBytes(utf8: phrase), kdf: .pbkdf2SHA512())
    }
    let files = ["a", "b"].map { scratch.folder.appendingPathComponent("\($0).db") }
    for file in files { try EncryptedDatabase.create(at: file, key: key("0")) }
    await withTaskGroup(of: Void.self) { group in
      for file in files {
        group.addTask {
          // The passphrase may be another one at each moment, and then nothing is changed.
          for round in 0..<12 {
            _ = try? EncryptedDatabase.rekey(at: file, key: key("\(round / 2)"))
          }
        }
      }
      group.addTask {
        for round in 0..<5 {
          try? EncryptedDatabase.changePassphrase(
            ofKeyFile: keyFile, from: SecretBytes(utf8: "\(round)"),
            to: SecretBytes(utf8: "\(round + 1)"), kdf: .pbkdf2SHA512())
        }
      }
    }
    // One after the other, nothing was lost.
    for file in files {
      #expect(throws: Never.self) {
        try EncryptedDatabase.openQueue(at: file, key: key("5")).close()
      }
      #expect(try EncryptedDatabase.verify(at: file, key: key("5")).isIntact)
    }
    #expect(try EncryptedDatabase.keys(of: key("5")).count == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: keyFile.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }
}
