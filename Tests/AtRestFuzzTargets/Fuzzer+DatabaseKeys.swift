import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import AtRestSimulation
import Foundation

/// The keys of databases, in an item or in a key file.
extension Fuzzer {
  private static let keychain = Result { try SimulatedDevice().keychain() }
  private static let passphrase = SecretBox(SecretBytes(utf8: "fuzzed"))

  /// Fuzzers share a keychain, so each has an item of its own.
  private var account: String { folder.lastPathComponent }
  private var item: PrimaryKey {
    .genericPassword(service: "atrest.database", account: account)
  }
  private var keyFile: URL { folder.appendingPathComponent("fuzzed.key") }

  private func key() throws -> (item: DatabaseKey, file: DatabaseKey) {
    (
      .item(account, in: try Self.keychain.get()),
      .keyFile(keyFile, passphrase: Self.passphrase.bytes, kdf: .pbkdf2SHA512())
    )
  }

  /// An input is a byte that is odd for an item, and the secret or the file.
  func readDatabaseKeys(_ input: consuming FuzzInput) throws {
    let isItem = input.integer(UInt8.self) & 1 == 1
    let bytes = input.rest
    let key = try key()
    if isItem {
      let keychain = try Self.keychain.get()
      try keychain.set(item, secret: SecretBytes(bytes))
      try isAccepted { _ = try EncryptedDatabase.keys(of: key.item) }
    } else {
      try bytes.write(to: keyFile)
      try isAccepted { _ = try EncryptedDatabase.keys(of: key.file) }
    }
  }

  func databaseKeysSeeds() throws -> [Data] {
    let key = try key()
    for name in ["one", "two"] {
      let file = folder.appendingPathComponent("\(name).db")
      try EncryptedDatabase.create(at: file, key: key.item)
      try FileManager.default.removeItem(at: file)
      try EncryptedDatabase.create(at: file, key: key.file)
      try FileManager.default.removeItem(at: file)
    }
    let secret = try Self.keychain.get().secret(for: item)
    return [
      Data([1]) + Data(copying: secret), Data([0]) + (try Data(contentsOf: keyFile)), Data([1]),
      Data([0]),
    ]
  }
}
