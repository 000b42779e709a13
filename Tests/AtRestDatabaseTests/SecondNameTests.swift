import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// On file systems that cannot rename without replacing, a new file has two names for a moment. A process that was killed
/// then leaves both.
struct SecondNameTests {
  private let scratch = try! Scratch()
  private let keychain = try! Scratch.keychain()
  private var key: DatabaseKey { .item("notes", in: keychain) }

  private func interrupt() throws {
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
    // The record of a file that is not known to have its name: see docs/Formats.md.
    var record = Data(copying: try keychain.secret(for: item))
    record.replaceSubrange(28..<44, with: record[12..<28])
    try keychain.update(item, secret: SecretBytes(record))
    try FileManager.default.linkItem(
      atPath: scratch.file.path, toPath: scratch.file.path + ".atrest-new")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path).sorted()
  }

  @Test func anOpeningRemovesTheSecondOne() throws {
    try interrupt()
    try EncryptedDatabase.openQueue(at: scratch.file, key: key).close()
    #expect(try names() == ["notes.db"])
  }

  @Test func aRekeyRemovesTheSecondOne() throws {
    try interrupt()
    try EncryptedDatabase.rekey(at: scratch.file, key: key)
    #expect(try names() == ["notes.db"])
    // Control: another name is refused.
    try FileManager.default.linkItem(
      atPath: scratch.file.path, toPath: scratch.file.path + ".other")
    #expect(throws: AtRestError.self) { try EncryptedDatabase.rekey(at: scratch.file, key: key) }
    #expect(try names() == ["notes.db", "notes.db.other"])
  }

  /// The file was moved meanwhile, and is in use under its other name.
  @Test func aCreationLeavesTheKeyOfAFileInUse() throws {
    try interrupt()
    let moved = scratch.folder.appendingPathComponent("moved.db")
    try FileManager.default.moveItem(at: scratch.file, to: moved)
    try EncryptedDatabase.create(at: scratch.file, key: key)
    for file in [moved, scratch.file] {
      try EncryptedDatabase.openQueue(at: file, key: key).close()
    }
    #expect(try names() == ["moved.db", "notes.db"])
  }
}
