import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// An attacker who can write the database adds SQL objects to it.
@Suite struct SchemaTests {
  static let plants = [
    "CREATE TABLE planted (id INTEGER PRIMARY KEY, a, b, c)",
    "CREATE TRIGGER planted AFTER DELETE ON item BEGIN INSERT INTO node VALUES (old.id, old.key); END",
    "CREATE TRIGGER planted BEFORE INSERT ON item BEGIN SELECT RAISE(IGNORE); END",
    "CREATE VIEW planted AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT x FROM n",
    "CREATE INDEX planted ON item (hash)",
    "ALTER TABLE item ADD COLUMN planted",
  ]

  private static func plant(_ sql: String, in store: DiskStore) throws {
    let queue = try DatabaseQueue(path: store.databasePath)
    defer { try? queue.close() }
    try queue.write { try $0.execute(sql: sql) }
  }

  @Test(arguments: plants) func aForeignObjectIsRefusedAndNamed(_ sql: String) throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    // Control: an edit that leaves the schema unchanged.
    try store.edit { try $0.execute(sql: "UPDATE item SET id = id") }
    #expect(try store.keychain.text(password()) == "s3cr3t")
    let error = thrown { try store.edit { try $0.execute(sql: sql) } }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains(sql.contains("ALTER") ? "item" : "planted") == true)
  }

  @Test(arguments: plants) func oneThatIsPlantedWhileOpenDoesNotAct(_ sql: String) throws {
    let store = try DiskStore()
    try store.keychain.put(password("eva"))
    try Self.plant(sql, in: store)
    #expect(refusal { try store.keychain.text(password("eva")) } == .damaged)
    #expect(refusal { try store.keychain.delete(password("eva")) } == .damaged)
    #expect(refusal { try store.keychain.put(password("adam")) } == .damaged)
    let queue = try DatabaseQueue(path: store.databasePath)
    defer { try? queue.close() }
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 1)
  }

  @Test(arguments: plants.dropLast()) func aRepairRemovesIt(_ sql: String) throws {
    let store = try DiskStore()
    try store.keychain.put(password())
    store.keychain.close()
    try Self.plant(sql, in: store)
    let report = try Keychain.repair(store.keybag)
    #expect(report.accepted == 1)
    #expect(report.unvouched.isEmpty)
    let keychain = try Keychain.open(store.keybag, identity: ApplicationIdentity("com.example.app"))
    defer { keychain.close() }
    #expect(try keychain.text(password()) == "s3cr3t")
    #expect(try keychain.verify().problems.isEmpty)
  }
}
