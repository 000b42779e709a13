import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// A database whose key is an item of a store ends with the store, at the next transaction and not only
/// when a notice arrives.
struct WipedStoreTests {
  private let scratch: Scratch
  private let location: StoreLocation

  init() throws {
    scratch = try Scratch()
    location = StoreLocation(
      store: scratch.folder.appendingPathComponent("store").path,
      device: scratch.folder.appendingPathComponent("device").path)
    _ = try Keybag.create(at: location.store, device: location.makeDevice(.file))
  }

  /// Opens the store as another process would: nothing is shared but the folders.
  private func keychain() throws -> Keychain {
    try Keychain.open(location.openKeybag(), identity: ApplicationIdentity("com.example.app"))
  }

  private func rows(_ reader: some DatabaseReader) throws -> [String] {
    try reader.read { try String.fetchAll($0, sql: "SELECT a FROM t") }
  }

  @Test(arguments: [false, true]) func theNextTransactionIsRefused(_ isPool: Bool) throws {
    let keychain = try keychain()
    let key = DatabaseKey.item("notes", in: keychain)
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let database: any DatabaseWriter =
      isPool
      ? try EncryptedDatabase.open(at: scratch.file, key: key)
      : try EncryptedDatabase.openQueue(at: scratch.file, key: key)
    try database.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 'walrus' AS a") }
    let other = try location.openKeybag()
    // Control: before the wipe the row is read.
    #expect(try rows(database) == ["walrus"])
    try other.wipe()
    #expect(throws: DatabaseError.self) { try rows(database) }
    #expect(throws: DatabaseError.self) {
      try database.write { try $0.execute(sql: "INSERT INTO t VALUES('late')") }
    }
    #expect(keychain.keybag.isWiped)
  }

  /// Control: a lock leaves connections open.
  @Test func aLockLeavesConnections() throws {
    let keychain = try keychain()
    let key = DatabaseKey.item("notes", in: keychain)
    try EncryptedDatabase.create(at: scratch.file, key: key)
    let queue = try EncryptedDatabase.openQueue(at: scratch.file, key: key)
    try queue.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 'walrus' AS a") }
    keychain.keybag.lock()
    #expect(try rows(queue) == ["walrus"])
  }
}
