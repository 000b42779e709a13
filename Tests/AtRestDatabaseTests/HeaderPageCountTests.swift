import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The number of pages in a plaintext header is not authenticated, and the file may have more. A rekey does not leave out
/// pages because of it, and does not refuse the file: SQLite makes a file shorter after the transaction has ended, so a
/// crash leaves a longer one.
struct HeaderPageCountTests {
  private let scratch = try! Scratch()
  private var key: DatabaseKey {
    .keyFile(
      scratch.folder.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
  }
  private static let format = {
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    return format
  }()

  @Test(arguments: [5, 2] as [UInt8], [false, true])
  func whatFollowsIsCopied(count: UInt8, isLastTorn: Bool) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: Self.format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(90000) AS a") }
    try queue.close()
    let whole = try Data(contentsOf: scratch.file)
    var changed = whole
    changed.replaceSubrange(28..<32, with: [0, 0, 0, count])
    // A page that the header does not count may be torn.
    if isLastTorn { changed[changed.count - 100] ^= 1 }
    try changed.write(to: scratch.file)
    try EncryptedDatabase.rekey(at: scratch.file, key: key, format: Self.format)
    // With its own number, the copy has all pages that were authentic.
    var copy = try Data(contentsOf: scratch.file)
    #expect(copy.count == whole.count - (isLastTorn ? 4_096 : 0))
    copy.replaceSubrange(28..<32, with: whole[28..<32])
    if isLastTorn { copy += Data(count: 4_096) }
    try copy.write(to: scratch.file)
    let found = try EncryptedDatabase.verify(at: scratch.file, key: key, format: Self.format)
    #expect(found.damagedPages == (isLastTorn ? [whole.count / 4_096] : []))
  }

  /// A crash leaves no damaged page before authentic ones.
  @Test func aPageBeforeAuthenticOnesIsNotLeftOut() throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: Self.format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(90000) AS a") }
    try queue.close()
    var changed = try Data(contentsOf: scratch.file)
    changed.replaceSubrange(28..<32, with: [0, 0, 0, 2])
    changed[4 * 4_096 + 100] ^= 1
    try changed.write(to: scratch.file)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: Self.format)
    }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: scratch.file) == changed)
  }

  /// Control: a page that the header counts must be authentic.
  @Test func aPageInUseIsNotLeftOut() throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: Self.format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(90000) AS a") }
    try queue.close()
    try scratch.flip(at: try Data(contentsOf: scratch.file).count - 100)
    let before = try Data(contentsOf: scratch.file)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: Self.format)
    }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: scratch.file) == before)
  }
}
