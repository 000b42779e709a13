import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// What is in the page with SQLite's locks, which SQLite never reads, does not keep a database from a new key.
///
/// The page is behind the first GiB, so this is only in the long form.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["ATREST_TORTURE"] == "full"))
struct LocksPageTests {
  @Test func aByteInThePageIsNotDamage() throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 8, count: 48)))
    var format = DatabaseFormat.sqlcipher4
    format.pageSize = 65_536
    let queue = try scratch.openQueue(format)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t(a)")
      for _ in 0..<22 { try db.execute(sql: "INSERT INTO t VALUES(zeroblob(50000000))") }
    }
    try queue.close()
    let handle = try FileHandle(forUpdating: scratch.file)
    try handle.seek(toOffset: 0x4000_0000 + 100)
    try handle.write(contentsOf: Data([1]))
    try EncryptedDatabase.rekey(at: scratch.file, key: key, format: format, to: other)
    #expect(try EncryptedDatabase.verify(at: scratch.file, key: other, format: format).isIntact)
    // Control: in another page, it is damage.
    let changed = try FileHandle(forUpdating: scratch.file)
    try changed.seek(toOffset: 0x4000_0000 - 100)
    try changed.write(contentsOf: Data([1]))
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: other, format: format, to: key)
    }
    #expect(error?.code == .damaged)
  }
}
