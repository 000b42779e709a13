import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A verification finds no damage where another process makes the file greater and smaller.
struct VerificationBesideWriterTests {
  @Test(arguments: ["delete", "wal"]) func anIntactDatabaseIsIntact(mode: String) throws {
    let scratch = try Scratch()
    try scratch.fill()
    let worker = try Worker(scratch.file)
    try worker.run("PRAGMA journal_mode = \(mode)")
    try worker.run("PRAGMA busy_timeout = 5000")
    for _ in 0..<100 {
      worker.send(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) \
        INSERT INTO t SELECT NULL, 1, randomblob(3000) FROM n
        """)
      worker.send("DELETE FROM t WHERE a > 5")
      worker.send("VACUUM")
      worker.send("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    for _ in 0..<25 {
      do {
        let result = try EncryptedDatabase.verify(
          at: scratch.file, key: Scratch.rawKey(), configuration: configuration)
        #expect(result.damagedPages == [] && result.problems == [])
      } catch AtRestError.Code.busy {}
    }
    worker.kill()
    // Control: a page that is damaged is found.
    try scratch.run("SELECT 1")
    try scratch.flip(at: 4_096 + 100)
    let damaged = try EncryptedDatabase.verify(at: scratch.file, key: Scratch.rawKey())
    #expect(damaged.damagedPages == [2])
  }
}
