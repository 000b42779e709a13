import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A key file has the random key of a database, under a passphrase that can change.
struct KeyFileTests {
  private let scratch: Scratch
  private let keyFile: URL

  init() throws {
    scratch = try Scratch()
    keyFile = scratch.folder.appendingPathComponent("notes.key")
  }

  private func key(_ passphrase: String) -> DatabaseKey {
    .keyFile(keyFile, passphrase: SecretBytes(utf8: passphrase), kdf: .cheapest)
  }

  private func fill(_ format: DatabaseFormat = .sqlcipher4) throws {
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key("wren"), format: format, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(7)") }
    try queue.close()
  }

  private func read(
    _ passphrase: String, _ format: DatabaseFormat = .sqlcipher4
  ) -> String {
    do {
      let queue = try EncryptedDatabase.openQueue(
        at: scratch.file, key: key(passphrase), format: format, creating: true)
      return try queue.read { try String.fetchOne($0, sql: "SELECT a FROM t") } ?? ""
    } catch let error as AtRestError {
      return error.code.rawValue
    } catch {
      return "\(error)"
    }
  }

  @Test func aNewPassphraseTouchesNoPage() throws {
    try fill()
    let before = try Data(contentsOf: scratch.file)
    try EncryptedDatabase.changePassphrase(
      ofKeyFile: keyFile, from: SecretBytes(utf8: "wren"), to: SecretBytes(utf8: "otter"),
      kdf: .cheapest)
    #expect(try Data(contentsOf: scratch.file) == before)
    #expect(read("otter") == "7")
    #expect(read("wren") == "authentication-failed")
  }

  @Test(arguments: [DatabaseFormat.sqlcipher4, .sqlcipher3])
  func rekeyMakesOldCopiesUseless(format: DatabaseFormat) throws {
    try fill(format)
    let before = try Data(contentsOf: keyFile)
    try EncryptedDatabase.rekey(at: scratch.file, key: key("wren"), format: format)
    #expect(read("wren", format) == "7")
    let after = try Data(contentsOf: keyFile)
    #expect(after.count == before.count)
    try before.write(to: keyFile)
    #expect(read("wren", format) == "authentication-failed")
  }

  @Test func aMissingKeyFileIsNotMadeAgain() throws {
    try fill()
    try FileManager.default.removeItem(at: keyFile)
    #expect(read("wren") == "not-found")
    #expect(!FileManager.default.fileExists(atPath: keyFile.path))
  }

  @Test func everyByteOfTheKeyFileIsAuthenticated() throws {
    try fill()
    let whole = try Data(contentsOf: keyFile)
    // The KDF's parameters are left out: others take longer.
    for offset in [0, 9, 12, 25, 38, 42, 60, 120, whole.count - 33, whole.count - 1] {
      var flipped = whole
      flipped[offset] ^= 1
      try flipped.write(to: keyFile)
      #expect(read("wren") != "7", "byte \(offset)")
    }
    try whole.dropLast().write(to: keyFile)
    #expect(read("wren") == "damaged")
    try whole.write(to: keyFile)
    #expect(read("wren") == "7")
  }
}

extension PasswordKDF {
  /// The cheapest parameters that are accepted.
  fileprivate static let cheapest = PasswordKDF.pbkdf2SHA512()
}
