import Foundation
import GRDB
import Testing

/// A page that was read before is checked again when it is read again.
struct ReadAgainTests {
  @Test func aChangedPageIsRefused() throws {
    try check { bytes in bytes[4096 * 5 + 100] ^= 1 }
  }

  @Test func exchangedPagesAreRefused() throws {
    try check { bytes in
      let page = bytes[4096 * 5..<4096 * 6]
      bytes[4096 * 5..<4096 * 6] = bytes[4096 * 6..<4096 * 7]
      bytes[4096 * 6..<4096 * 7] = page
    }
  }

  private func check(_ change: (inout [UInt8]) -> Void) throws {
    let scratch = try Scratch()
    let queue = try scratch.openQueue()
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
      for row in 0..<500 {
        try db.execute(
          sql: "INSERT INTO t VALUES(?, ?)", arguments: [row, String(repeating: "x", count: 100)])
      }
    }
    func sum() throws -> Int? {
      try queue.read { db in
        // The pages are read from the file, not from SQLite's cache.
        try db.execute(sql: "PRAGMA shrink_memory")
        return try Int.fetchOne(db, sql: "SELECT sum(length(b)) FROM t")
      }
    }
    // Control: the second time, each page is recognised.
    #expect(try sum() == 50_000)
    #expect(try sum() == 50_000)
    let whole = try Data(contentsOf: scratch.file)
    var bytes = Array(whole)
    change(&bytes)
    try replace(scratch.file, by: Data(bytes))
    let error = #expect(throws: DatabaseError.self) { try sum() }
    #expect(error?.extendedResultCode == .SQLITE_IOERR_DATA)
    try replace(scratch.file, by: whole)
    #expect(try sum() == 50_000)
  }

  /// Overwrites the file in place, without closing it as SQLite does not expect.
  private func replace(_ url: URL, by bytes: Data) throws {
    let descriptor = open(url.path, O_WRONLY)
    #expect(
      bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) } == bytes.count)
    close(descriptor)
  }
}
