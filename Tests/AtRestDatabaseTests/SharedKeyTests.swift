import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// One item or key file serves several databases, each with a key of its own.
struct SharedKeyTests {
  /// The kinds of keys that have a record for each database.
  enum Kind: CaseIterable {
    case item, keyFile

    func key(_ scratch: Scratch, _ keychain: Keychain) -> DatabaseKey {
      switch self {
      case .item: .item("shared", in: keychain)
      case .keyFile:
        .keyFile(
          scratch.folder.appendingPathComponent("shared.key"),
          passphrase: SecretBytes(utf8: "wren"),
          kdf: .pbkdf2SHA512())
      }
    }
  }

  private let scratch = try! Scratch()
  private let keychain = try! Scratch.keychain()

  private func url(_ name: String) -> URL { scratch.folder.appendingPathComponent("\(name).db") }

  private func make(_ name: String, _ key: DatabaseKey) throws {
    let queue = try EncryptedDatabase.openQueue(at: url(name), key: key, creating: true)
    try queue.write {
      try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(?)", arguments: [name])
    }
    try queue.close()
  }

  private func text(_ name: String, _ key: DatabaseKey) throws -> String? {
    let queue = try EncryptedDatabase.openQueue(at: url(name), key: key)
    defer { try? queue.close() }
    return try queue.read { try String.fetchOne($0, sql: "SELECT a FROM t") }
  }

  @Test(arguments: Kind.allCases) func aRekeyLeavesTheOtherKeys(kind: Kind) throws {
    let key = kind.key(scratch, keychain)
    for name in ["main", "archive", "third"] { try make(name, key) }
    let before = try EncryptedDatabase.keys(of: key)
    #expect(before.map(\.name) == ["main.db", "archive.db", "third.db"])
    #expect(Set(before.map(\.salt)).count == 3)
    for _ in 0..<3 { try EncryptedDatabase.rekey(at: url("main"), key: key) }
    for name in ["main", "archive", "third"] { #expect(try text(name, key) == name) }
    let after = try EncryptedDatabase.keys(of: key)
    #expect(after.count == 3 && !after.contains { $0.isUnfinished })
    #expect(after.count { old in before.contains(old) } == 2)
  }

  /// What is not detected: a copy of another database, which has its record in the same place.
  @Test(arguments: Kind.allCases) func aCopyInPlaceOfAnotherIsRead(kind: Kind) throws {
    let key = kind.key(scratch, keychain)
    try make("one", key)
    try make("two", key)
    try FileManager.default.removeItem(at: url("two"))
    try FileManager.default.copyItem(at: url("one"), to: url("two"))
    #expect(try text("two", key) == "one")
    // Control: under another item or key file it opens nothing.
    let other = DatabaseKey.keyFile(
      scratch.folder.appendingPathComponent("other.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
    try make("three", other)
    try FileManager.default.removeItem(at: url("three"))
    try FileManager.default.copyItem(at: url("one"), to: url("three"))
    #expect(throws: AtRestError.self) { try text("three", other) }
  }

  /// Each has a key of its own, so the files cannot be exchanged for each other's keys.
  @Test(arguments: Kind.allCases) func aMovedFileKeepsItsKey(kind: Kind) throws {
    let key = kind.key(scratch, keychain)
    for name in ["main", "archive"] { try make(name, key) }
    let moved = url("moved")
    try FileManager.default.moveItem(at: url("main"), to: moved)
    #expect(try text("moved", key) == "main")
    // Control: a key that is removed opens nothing, and the other one still does.
    let salt = try Data(contentsOf: moved).prefix(16)
    try EncryptedDatabase.removeKey(of: salt, from: key)
    let error = #expect(throws: AtRestError.self) { try text("moved", key) }
    #expect(error?.code == .authenticationFailed)
    #expect(try text("archive", key) == "archive")
    #expect(throws: AtRestError.self) { try EncryptedDatabase.removeKey(of: salt, from: key) }
  }

  /// The number of keys has a limit, and removing keys is the way out.
  @Test func theListHasALimit() throws {
    let key = Kind.item.key(scratch, keychain)
    try make("main", key)
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "shared")
    var secret = Data(copying: try keychain.secret(for: item))
    let record = secret.suffix(from: 12)
    secret.replaceSubrange(10..<12, with: [UInt8(1_000 >> 8), UInt8(1_000 & 255)])
    for number in 1..<1_000 {
      var copy = Data(record)
      withUnsafeBytes(of: number.bigEndian) { copy.replaceSubrange(0..<8, with: $0) }
      secret += copy
    }
    try keychain.update(item, secret: SecretBytes(secret))
    let error = #expect(throws: AtRestError.self) { try make("other", key) }
    #expect(error?.code == .invalidArgument)
    // Nothing is left of a file whose key found no room.
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path) == ["main.db"])
    // A new key that takes the place of another one needs none.
    try EncryptedDatabase.rekey(at: url("main"), key: key)
    #expect(try EncryptedDatabase.keys(of: key).count == 1_000)
    let salt = try #require(EncryptedDatabase.keys(of: key).first).salt
    try EncryptedDatabase.removeKey(of: salt, from: key)
    try make("other", key)
    #expect(try text("main", key) == "main")
  }
}
