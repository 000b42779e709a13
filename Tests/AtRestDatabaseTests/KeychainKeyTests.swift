import AtRestCrypto
import AtRestDatabase
import AtRestKeychain
import AtRestSimulation
import Foundation
import GRDB
import Testing

/// The key is an item of the keychain by default.
struct KeychainKeyTests {
  @Test func theItemIsMadeOnceAndOpensTheDatabase() throws {
    let scratch = try Scratch()
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    for count in 1...3 {
      let pool = try EncryptedDatabase.open(
        at: scratch.file, key: .item("notes", in: keychain), creating: true)
      try pool.write { try $0.execute(sql: "CREATE TABLE t\(count)(a)") }
      try pool.close()
    }
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
    #expect(try keychain.secret(for: item).count > 0)
    #expect(
      try EncryptedDatabase.keys(of: .item("notes", in: keychain)).map(\.name) == ["notes.db"])
  }

  /// A key that cannot be read is not replaced.
  @Test func aLockedItemIsNotMadeAgain() throws {
    let scratch = try Scratch()
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    let key = DatabaseKey.item("notes", in: keychain)
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true).close()
    device.lock()
    #expect {
      try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true).close()
    } throws: {
      AtRestError.Code.locked ~= $0
    }
    // Control: unlocked, the same item opens the database.
    try device.unlock(passcode: "1234")
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true).close()
  }

  /// A new key would not open a database that exists.
  @Test func aMissingItemOfADatabaseIsNotMade() throws {
    let scratch = try Scratch()
    let keychain = try SimulatedDevice(passcode: "1234").keychain()
    let key = DatabaseKey.item("notes", in: keychain)
    try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true).close()
    let item = PrimaryKey.genericPassword(service: "atrest.database", account: "notes")
    try keychain.delete(item)
    #expect {
      try EncryptedDatabase.openQueue(at: scratch.file, key: key, creating: true).close()
    } throws: {
      AtRestError.Code.notFound ~= $0
    }
    #expect {
      _ = try keychain.secret(for: item).count
    } throws: {
      AtRestError.Code.notFound ~= $0
    }
  }
}
