import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A symbolic link to a database opens it, with the files that lie beside the database and not beside the link.
struct LinkedDatabaseTests {
  @Test func theLinkIsFollowed() throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let pool = try scratch.openPool()
    try pool.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 7 AS a") }
    let folder = scratch.folder.appendingPathComponent("links")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let link = folder.appendingPathComponent("link.db")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: scratch.file)
    let linked = try EncryptedDatabase.open(at: link, key: key)
    #expect(try linked.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
    try linked.close()
    #expect(try EncryptedDatabase.verify(at: link, key: key).isIntact)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["link.db"])
    try pool.close()
    // A new key would put a file in the place of the link.
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(
        at: link, key: key, to: .passphrase(SecretBytes(utf8: "wren")))
    }
    #expect(error?.code == .invalidArgument)
    // Control: a link to nothing is no database.
    try FileManager.default.removeItem(at: scratch.file)
    #expect(throws: AtRestError.self) { try EncryptedDatabase.open(at: link, key: key) }
  }
}
