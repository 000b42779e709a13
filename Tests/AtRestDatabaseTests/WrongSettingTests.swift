import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A setting that is not that of the file is named, and the file is not called damaged.
struct WrongSettingTests {
  private let scratch = try! Scratch()
  private let phrase = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
  private let raw = try! DatabaseKey.raw(SecretBytes(Data(repeating: 7, count: 48)))

  private func make(_ key: DatabaseKey, _ change: (inout DatabaseFormat) -> Void) throws {
    var format = DatabaseFormat.sqlcipher4
    change(&format)
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); CREATE TABLE s(a)") }
    try queue.close()
  }

  /// Returns the errors of all calls, which must be the same, and checks that nothing was modified.
  private func refusal(
    _ key: DatabaseKey, _ change: (inout DatabaseFormat) -> Void = { _ in }
  ) throws -> AtRestError {
    var format = DatabaseFormat.sqlcipher4
    change(&format)
    let before = try Data(contentsOf: scratch.file)
    let opening = try #require(
      throws: AtRestError.self,
      performing: {
        try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: format)
      })
    let verification = try #require(
      throws: AtRestError.self,
      performing: {
        try EncryptedDatabase.verify(at: scratch.file, key: key, format: format)
      })
    #expect(opening.code == verification.code && opening.message == verification.message)
    #expect(try Data(contentsOf: scratch.file) == before)
    return opening
  }

  @Test func aHeaderThatIsEncrypted() throws {
    try make(raw) { _ in }
    let error = try refusal(raw) { $0.hasPlaintextHeader = true }
    #expect(error.code == .invalidArgument && error.message.contains("header is encrypted"))
  }

  @Test func aHeaderThatIsInPlaintext() throws {
    try make(raw) { $0.hasPlaintextHeader = true }
    let error = try refusal(raw)
    #expect(error.code == .invalidArgument && error.message.contains("header is in plaintext"))
  }

  @Test func theHeaderOfAFileWithAnItem() throws {
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    try make(key) { _ in }
    #expect(
      try refusal(key) { $0.hasPlaintextHeader = true }.message.contains("header is encrypted"))
    try FileManager.default.removeItem(at: scratch.file)
    try EncryptedDatabase.removeKey(
      of: try #require(EncryptedDatabase.keys(of: key).first).salt, from: key)
    try make(key) { $0.hasPlaintextHeader = true }
    #expect(try refusal(key).message.contains("header is in plaintext"))
  }

  @Test(arguments: [64_000, 4_000]) func theRounds(rounds: Int) throws {
    try make(phrase) { $0.rounds = rounds }
    let error = try refusal(phrase)
    #expect(error.code == .invalidArgument && error.message.contains("\(rounds) rounds"))
    // Rounds that nobody uses cannot be found, but they are in the advice.
    try FileManager.default.removeItem(at: scratch.file)
    try make(phrase) { $0.rounds = 777 }
    let other = try refusal(phrase)
    #expect(other.code == .authenticationFailed && other.remedy.contains("rounds"))
  }

  @Test func thePageSize() throws {
    try make(raw) { $0.pageSize = 512 * 16 }
    let error = try refusal(raw)
    #expect(error.code == .invalidArgument && error.message.contains("8192"))
  }

  /// A database of SQLCipher 1 may be shorter than a page of version 4.
  @Test func aSmallDatabaseOfVersion1() throws {
    try make(phrase) { $0 = .sqlcipher1 }
    #expect(try Data(contentsOf: scratch.file).count < 4_096)
    let error = try refusal(phrase)
    #expect(error.code == .invalidArgument && error.message.contains("SQLCipher 1"))
    // Control: another passphrase is wrong, also in that format, and nothing is damaged.
    let other = DatabaseKey.passphrase(SecretBytes(utf8: "otter"))
    #expect(try refusal(other) { $0 = .sqlcipher1 }.code == .authenticationFailed)
    // A short file that no key opens is damaged.
    try Data(repeating: 9, count: 700).write(to: scratch.file)
    #expect(try refusal(phrase).code == .damaged)
  }

  /// What SQLite finds wrong in authentic pages was written like that.
  @Test func faultsThatAreAuthenticAreNoDamage() throws {
    try make(raw) { _ in }
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: raw)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE INDEX i ON t(a); INSERT INTO t VALUES(1), (2)")
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(sql: "UPDATE sqlite_schema SET rootpage = 2 WHERE name = 'i'")
    }
    try queue.close()
    let error = try? EncryptedDatabase.verify(at: scratch.file, key: raw)
    #expect(error?.damagedPages == [] && error?.isIntact == false)
    // Control: a file that was cut off is damaged.
    let whole = try Data(contentsOf: scratch.file)
    try whole.dropLast(4_096).write(to: scratch.file)
    #expect(try refusal(raw).code == .damaged)
  }
}
