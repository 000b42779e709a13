import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A connection whose file was replaced or removed fails, and does not go on with the former one.
struct MovedFileTests {
  private func isRefused(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch let error as DatabaseError {
      return error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    } catch {
      return false
    }
  }

  private func opened(_ mode: String) throws -> (Scratch, DatabaseQueue, URL) {
    let scratch = try Scratch()
    try scratch.fill()
    let copy = scratch.folder.appendingPathComponent("copy.db")
    try FileManager.default.copyItem(at: scratch.file, to: copy)
    let queue = try scratch.openQueue()
    _ = try queue.writeWithoutTransaction {
      try String.fetchAll($0, sql: "PRAGMA journal_mode = \(mode)")
    }
    // Control: the file is in its place.
    try queue.write { try $0.execute(sql: "UPDATE t SET b = 2") }
    return (scratch, queue, copy)
  }

  @Test(arguments: ["delete", "persist", "wal"]) func aReplacedFileIsNotWritten(mode: String) throws
  {
    let (scratch, queue, copy) = try opened(mode)
    #expect(rename(copy.path, scratch.file.path) == 0)
    #expect(isRefused { try queue.write { try $0.execute(sql: "UPDATE t SET b = 3") } })
    if mode != "wal" {
      #expect(isRefused { _ = try queue.read { try Int.fetchOne($0, sql: "SELECT b FROM t") } })
    }
    try queue.close()
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(at: scratch.url(suffix)) }
    #expect(try scratch.rows().get() == (1...5).map { "\($0)=1" })
  }

  @Test(arguments: ["delete", "wal"]) func aRemovedFileIsNotWritten(mode: String) throws {
    let (scratch, queue, _) = try opened(mode)
    try FileManager.default.removeItem(at: scratch.file)
    #expect(isRefused { try queue.write { try $0.execute(sql: "UPDATE t SET b = 3") } })
    #expect(!FileManager.default.fileExists(atPath: scratch.file.path))
  }
}
