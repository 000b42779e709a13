import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A page that was replaced by zeros. SQLCipher leaves such pages in the list of free pages only.
struct ZeroPageTests {
  @Test func aRekeyTakesNoneThatIsInUse() throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let new = DatabaseKey.passphrase(SecretBytes(utf8: "wren"))
    let queue = try scratch.openQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE kept AS SELECT zeroblob(20000) AS a")
      try db.execute(sql: "CREATE TABLE gone AS SELECT zeroblob(40000) AS a; DROP TABLE gone")
    }
    let free = try queue.read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") } ?? 0
    try queue.close()
    let whole = try Data(contentsOf: scratch.file)
    let pages = whole.count / 4_096
    try #require(free > 2 && pages > free + 3)
    var accepted = 0
    for page in 2...pages {
      var data = whole
      data.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(count: 4_096))
      try data.write(to: scratch.file)
      let isIntact = try scratch.isIntact()
      do {
        try EncryptedDatabase.rekey(at: scratch.file, key: key, to: new)
        accepted += 1
        #expect(isIntact)
      } catch let error as AtRestError {
        #expect(error.code == .damaged)
        #expect(!isIntact)
        #expect(try Data(contentsOf: scratch.file) == data)
      }
    }
    // The first page of the list is in use, too: it has the others.
    #expect(accepted == free - 1)
  }
}
