import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Another file gets the name of a database while it is encrypted anew. Neither of the two is lost.
struct ReplacedMeanwhileTests {
  @Test func aRekeyLeavesTheOtherFile() throws {
    let old = try Scratch.rawKey()
    let newKey = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    // The file may come too late, so it is tried again.
    for _ in 0..<20 {
      let scratch = try Scratch()
      let queue = try scratch.openQueue()
      try queue.write {
        try $0.execute(sql: "CREATE TABLE t AS SELECT 1 AS a, zeroblob(12000000) AS b")
      }
      try queue.close()
      let other = scratch.folder.appendingPathComponent("restored.db")
      let restored = try EncryptedDatabase.openQueue(at: other, key: old, creating: true)
      try restored.write { try $0.execute(sql: "CREATE TABLE t AS SELECT 2 AS a") }
      try restored.close()
      let aside = scratch.folder.appendingPathComponent("aside.db")
      let (file, new, former) = (scratch.file.path, other.path, aside.path)
      let mover = Thread {
        let draft = file + ".atrest-rekey"
        while access(draft, F_OK) != 0, access(new, F_OK) == 0 { usleep(200) }
        guard access(new, F_OK) == 0 else { return }
        rename(file, former)
        rename(new, file)
      }
      mover.start()
      do {
        try EncryptedDatabase.rekey(at: scratch.file, key: old, to: newKey)
        // The thread ends.
        try? FileManager.default.removeItem(at: other)
        continue
      } catch let error as AtRestError {
        #expect([.busy, .notFound].contains(error.code), "\(error)")
      }
      while access(other.path, F_OK) == 0 { usleep(200) }
      for (url, number) in [(scratch.file, 2), (aside, 1)] {
        let queue = try EncryptedDatabase.openQueue(at: url, key: old)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == number)
        try queue.close()
      }
      return
    }
    Issue.record("No file came in time")
  }
}
