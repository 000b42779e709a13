import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A page that a crash tore while it was copied from the log is whole in the log.
struct TornPageTests {
  @Test func theLogMakesUpForIt() throws {
    let scratch = try Scratch()
    let pool = try scratch.openPool()
    try pool.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    try pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    try pool.write { try $0.execute(sql: "UPDATE t SET a = 8") }
    let copy = try scratch.copy("torn")
    try pool.close()
    let key = try Scratch.rawKey()
    // Page 2 has the row.
    var data = try Data(contentsOf: copy)
    data.replaceSubrange(6_000..<8_192, with: Data(count: 2_192))
    try data.write(to: copy)
    let log = URL(fileURLWithPath: copy.path + "-wal")
    let without = scratch.folder.appendingPathComponent("without.db")
    try FileManager.default.copyItem(at: copy, to: without)
    #expect(try EncryptedDatabase.verify(at: copy, key: key).isIntact)
    #expect(!FileManager.default.fileExists(atPath: log.path))
    // Control: without the log, the page is damaged.
    #expect(try EncryptedDatabase.verify(at: without, key: key).damagedPages == [2])
  }
}
