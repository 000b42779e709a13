import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A copy of a database has its key. A new key for the copy would leave none for the original.
struct CopyBesideOriginalTests {
  @Test func aRekeyOfTheCopyIsRefused() throws {
    let scratch = try Scratch()
    let key = DatabaseKey.keyFile(
      scratch.folder.appendingPathComponent("app.key"), passphrase: SecretBytes(utf8: "wren"),
      kdf: .pbkdf2SHA512())
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let copy = scratch.folder.appendingPathComponent("copy.db")
    try FileManager.default.copyItem(at: scratch.file, to: copy)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: copy, key: key)
    }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains("notes.db") == true)
    try EncryptedDatabase.openQueue(at: scratch.file, key: key).close()
    // Control: the original gets one, and so does a file that was renamed.
    try EncryptedDatabase.rekey(at: scratch.file, key: key)
    try FileManager.default.removeItem(at: copy)
    try FileManager.default.moveItem(at: scratch.file, to: copy)
    try EncryptedDatabase.rekey(at: copy, key: key)
    try EncryptedDatabase.openQueue(at: copy, key: key).close()
  }
}
