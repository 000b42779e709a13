import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A change of a key file keeps its owner and its mode, and a file with other names is not changed.
struct KeyFilePropertiesTests {
  private let scratch: Scratch
  private let keyFile: URL

  init() throws {
    scratch = try Scratch()
    keyFile = scratch.folder.appendingPathComponent("notes.key")
    try EncryptedDatabase.create(at: scratch.file, key: key(keyFile))
  }

  private func key(_ file: URL) -> DatabaseKey {
    .keyFile(file, passphrase: SecretBytes(utf8: "wren"), kdf: .pbkdf2SHA512())
  }

  private func status(_ url: URL) throws -> stat {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return status
  }

  private func rekey(_ file: URL) throws {
    try EncryptedDatabase.rekey(at: scratch.file, key: key(file))
  }

  @Test(arguments: [0o600, 0o640] as [mode_t]) func theModeStays(mode: mode_t) throws {
    #expect(chmod(keyFile.path, mode) == 0)
    let before = try Data(contentsOf: keyFile)
    try rekey(keyFile)
    #expect(try status(keyFile).st_mode & 0o777 == mode)
    // Control: the file was replaced. Its number can be the former one again.
    #expect(try Data(contentsOf: keyFile) != before)
  }

  @Test(.enabled(if: geteuid() == 0)) func theOwnerStays() throws {
    #expect(chown(keyFile.path, 1_234, 1_235) == 0)
    try rekey(keyFile)
    let after = try status(keyFile)
    #expect(after.st_uid == 1_234 && after.st_gid == 1_235)
  }

  @Test(arguments: [true, false]) func aFileWithAnotherNameIsNotChanged(isHard: Bool) throws {
    let other = scratch.folder.appendingPathComponent("other.key")
    if isHard {
      try FileManager.default.linkItem(at: keyFile, to: other)
    } else {
      try FileManager.default.createSymbolicLink(at: other, withDestinationURL: keyFile)
    }
    let before = try (Data(contentsOf: keyFile), Data(contentsOf: scratch.file))
    let error = #expect(throws: AtRestError.self) { try rekey(other) }
    #expect(error?.code == .invalidArgument)
    #expect(try Data(contentsOf: keyFile) == before.0)
    #expect(try Data(contentsOf: scratch.file) == before.1)
    // Control: both names open the database, and without the other one the file is changed.
    try EncryptedDatabase.openQueue(at: scratch.file, key: key(other)).close()
    try FileManager.default.removeItem(at: other)
    try rekey(keyFile)
  }
}
