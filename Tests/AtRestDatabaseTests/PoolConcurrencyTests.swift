import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Eight readers and a writer share a pool. `make race` runs this under the thread sanitizer.
struct PoolConcurrencyTests {
  private static let isRaced = ProcessInfo.processInfo.environment["ATREST_RACE"] != nil
  private static let rounds = isRaced ? 200 : 60

  @Test func readersSeeWholeTransactions() async throws {
    let scratch = try Scratch()
    var configuration = Configuration()
    configuration.maximumReaderCount = 8
    // A reader that sees the index of the log half changed takes the writer's lock for a moment.
    configuration.busyMode = .timeout(120)
    let pool = try scratch.openPool(.sqlcipher4, configuration)
    try await pool.write { db in
      try db.execute(sql: "PRAGMA wal_autocheckpoint = 20")
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b, c)")
      for row in 1...20 {
        try db.execute(sql: "INSERT INTO t VALUES(?, 0, zeroblob(3000))", arguments: [row])
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...Self.rounds {
          try await pool.write { try $0.execute(sql: "UPDATE t SET b = ?", arguments: [round]) }
        }
      }
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<Self.rounds {
            let found = try await pool.read {
              try Int.fetchAll($0, sql: "SELECT DISTINCT b FROM t")
            }
            #expect(found.count == 1)
          }
        }
      }
      try await group.waitForAll()
    }
    try pool.close()
    #expect(try scratch.isIntact())
  }
}
