import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A database whose header is in plaintext opens while another thread gives it new keys.
struct PlaintextHeaderRekeyTests {
  @Test func anOpeningBesideARekeyIsNotRefused() throws {
    let scratch = try Scratch()
    let keyFile = scratch.folder.appendingPathComponent("notes.key")
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    let (file, plain) = (scratch.file, format)
    @Sendable func key() -> DatabaseKey {
      .keyFile(keyFile, passphrase: SecretBytes(utf8: "wren"), kdf: .pbkdf2SHA512())
    }
    try EncryptedDatabase.create(at: file, key: key(), format: plain)
    DispatchQueue.concurrentPerform(iterations: 2) { part in
      let key = key()
      for _ in 0..<(part == 0 ? 60 : 250) {
        do {
          if part == 0 {
            try EncryptedDatabase.rekey(at: file, key: key, format: plain)
          } else {
            try EncryptedDatabase.openQueue(at: file, key: key, format: plain).close()
          }
        } catch AtRestError.Code.busy {
        } catch {
          Issue.record("part \(part): \(error)")
        }
      }
    }
    // Control: without the key, the file is refused.
    try FileManager.default.removeItem(at: keyFile)
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: file, key: key(), format: plain)
    }
  }
}
