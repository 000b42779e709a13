import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The view of an attacker who can write to a database whose first 32 bytes are in plaintext.
struct PlaintextHeaderTests {
  private let scratch: Scratch
  private let format: DatabaseFormat
  private let key: DatabaseKey

  init() throws {
    scratch = try Scratch()
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    self.format = format
    key = try .raw(SecretBytes(Data(repeating: 7, count: 48)))
    let queue = try EncryptedDatabase.openQueue(
      at: scratch.file, key: key, format: format, creating: true)
    try queue.write { db in
      try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b)")
      // The values do not fit a page.
      for row in 0..<5 {
        try db.execute(
          sql: "INSERT INTO t VALUES(?, ?)",
          arguments: [row, String(repeating: "value \(row) ", count: 1_500)])
      }
    }
    try queue.close()
  }

  /// Returns the values, or nil if they are refused.
  private func values() -> [String]? {
    do {
      let queue = try EncryptedDatabase.openQueue(
        at: scratch.file, key: key, format: format, creating: true)
      defer { try? queue.close() }
      return try queue.read { try String.fetchAll($0, sql: "SELECT b FROM t ORDER BY a") }
    } catch { return nil }
  }

  private func isSameOrRefused(byte: Int, as value: UInt8) throws -> Bool {
    let whole = try Data(contentsOf: scratch.file)
    let right = try #require(values())
    var changed = whole
    changed[byte] = value
    try changed.write(to: scratch.file)
    let found = values()
    try whole.write(to: scratch.file)
    // Control.
    #expect(values() == right)
    return found == nil || found == right
  }

  @Test(arguments: 0..<32) func aFlippedByteChangesNoValue(byte: Int) throws {
    let value = try Data(contentsOf: scratch.file)[byte]
    #expect(try isSameOrRefused(byte: byte, as: value ^ 1))
  }

  /// The size of the reserve. With another one, SQLite would cut the values.
  @Test(arguments: [0, 48, 77, 78, 79, 81, 96, 255])
  func anotherReserveIsRefused(value: UInt8) throws {
    let whole = try Data(contentsOf: scratch.file)
    #expect(whole[20] == 80)
    var changed = whole
    changed[20] = value
    try changed.write(to: scratch.file)
    #expect(values() == nil)
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.verify(at: scratch.file, key: key, format: format)
    }
    #expect(error?.code == .damaged)
    // Control.
    try whole.write(to: scratch.file)
    #expect(values()?.count == 5)
  }
}
