import AtRestDatabase
import Foundation
import Testing

/// An older version of a page that was put back is found by `verify`.
struct OlderPageTests {
  @Test(arguments: [3, 5, 7]) func anOlderPageIsFound(page: Int) throws {
    let scratch = try Scratch()
    try scratch.fill()
    let before = try Data(contentsOf: scratch.file)
    try scratch.run("UPDATE t SET b = 2")
    #expect(try scratch.isCurrent())
    var after = try Data(contentsOf: scratch.file)
    let range = (page - 1) * 4096..<page * 4096
    try #require(before[range] != after[range])
    after.replaceSubrange(range, with: before[range])
    try after.write(to: scratch.file)
    let found = try EncryptedDatabase.verify(
      at: scratch.file, key: Scratch.rawKey(), format: .atrest)
    #expect(!found.isCurrent)
    #expect(found.damagedPages.isEmpty)
    try EncryptedDatabase.acceptOlder(at: scratch.file, key: Scratch.rawKey())
    #expect(try scratch.isCurrent())
  }

  /// Control: in SQLCipher's format nothing shows it.
  @Test func sqlcipherDoesNotFindIt() throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.write { try $0.execute(sql: "CREATE TABLE t(b); INSERT INTO t VALUES(1)") }
    let before = try Data(contentsOf: scratch.file)
    try queue.write { try $0.execute(sql: "UPDATE t SET b = 2") }
    try queue.close()
    var after = try Data(contentsOf: scratch.file)
    after.replaceSubrange(4096..<8192, with: before[4096..<8192])
    try after.write(to: scratch.file)
    let found = try EncryptedDatabase.verify(at: scratch.file, key: Scratch.rawKey())
    #expect(found.isIntact)
  }
}
