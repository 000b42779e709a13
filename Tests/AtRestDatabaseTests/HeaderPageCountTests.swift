import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The number of pages in a plaintext header is not authenticated. A rekey does not leave out pages because of it.
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

  @Test(arguments: [5, 2] as [UInt8]) func fewerPagesAreRefused(count: UInt8) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: Self.format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT zeroblob(90000) AS a") }
    try queue.close()
    let whole = try Data(contentsOf: scratch.file)
    var changed = whole
    changed.replaceSubrange(28..<32, with: [0, 0, 0, count])
    try changed.write(to: scratch.file)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: Self.format)
    }
    #expect(error?.code == .damaged)
    #expect(try Data(contentsOf: scratch.file) == changed)
    // Control: with its own number, the database has its key and all pages, and gets a new key.
    try whole.write(to: scratch.file)
    try EncryptedDatabase.rekey(at: scratch.file, key: key, format: Self.format)
    #expect(try Data(contentsOf: scratch.file).count == whole.count)
  }
}
