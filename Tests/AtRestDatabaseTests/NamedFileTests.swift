import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// What is wrong with a file that is named as a database, or as its key file.
struct NamedFileTests {
  private let scratch = try! Scratch()
  private var keyFile: URL { scratch.folder.appendingPathComponent("app.key") }

  private func key(_ file: URL) -> DatabaseKey {
    .keyFile(file, passphrase: SecretBytes(utf8: "wren"), kdf: .pbkdf2SHA512())
  }

  private func code(_ url: URL, _ key: DatabaseKey) -> AtRestError.Code? {
    do {
      try EncryptedDatabase.openQueue(at: url, key: key, creating: true).close()
      return nil
    } catch {
      return (error as? AtRestError)?.code ?? .system
    }
  }

  @Test func aFolderAndAPipeAreNoFiles() throws {
    let key = try Scratch.rawKey()
    #expect(mkfifo(scratch.file.path, 0o600) == 0)
    #expect(code(scratch.file, key) == .invalidArgument)
    #expect(code(scratch.folder, key) == .invalidArgument)
  }

  @Test func theDatabaseIsNotItsOwnKeyFile() throws {
    try EncryptedDatabase.create(at: scratch.file, key: key(keyFile))
    #expect(code(scratch.file, key(scratch.file)) == .invalidArgument)
    #expect(code(scratch.file, key(keyFile)) == nil)
  }

  @Test(.enabled(if: geteuid() != 0)) func aFileThatMayNotBeReadIsNotPermitted() throws {
    try EncryptedDatabase.create(at: scratch.file, key: key(keyFile))
    for file in [scratch.file, keyFile] {
      #expect(chmod(file.path, 0) == 0)
      #expect(code(scratch.file, key(keyFile)) == .notPermitted)
      #expect(chmod(file.path, 0o600) == 0)
    }
    #expect(code(scratch.file, key(keyFile)) == nil)
  }

  @Test func anEmptyFileIsNotImported() throws {
    let plain = scratch.folder.appendingPathComponent("plain.db")
    try Data().write(to: plain)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.importPlaintext(from: plain, to: scratch.file, key: Scratch.rawKey())
    }
    #expect(error?.code == .invalidArgument)
    #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
  }
}
