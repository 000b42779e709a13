import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A copy of a database has its key. A new key for the copy would leave none for the original.
struct CopyBesideOriginalTests {
  @Test(arguments: [false, true]) func aRekeyOfTheCopyIsRefused(hasPlaintextHeader: Bool) throws {
    let scratch = try Scratch()
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = hasPlaintextHeader
    let key = DatabaseKey.keyFile(
      scratch.folder.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
    try EncryptedDatabase.create(at: scratch.file, key: key, format: format)
    let copy = scratch.folder.appendingPathComponent("copy.db")
    try FileManager.default.copyItem(at: scratch.file, to: copy)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: copy, key: key, format: format)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("notes.db") == true)
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, format: format).close()
    // Control: the original gets a new key, and so does a file that was renamed, whatever has its former name.
    try EncryptedDatabase.rekey(at: scratch.file, key: key, format: format)
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.moveItem(at: scratch.file, to: copy)
    try FileManager.default.createDirectory(at: scratch.file, withIntermediateDirectories: true)
    try EncryptedDatabase.rekey(at: copy, key: key, format: format)
    try EncryptedDatabase.openQueue(at: copy, key: key, format: format).close()
  }
}
