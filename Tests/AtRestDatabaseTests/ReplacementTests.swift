import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// Databases get new keys, and other formats.
struct ReplacementTests {
  private static let formats = [DatabaseFormat.sqlcipher4, .sqlcipher3]

  @Test(arguments: formats, formats)
  func rekeyChangesKeyAndFormat(from old: DatabaseFormat, to new: DatabaseFormat) throws {
    let scratch = try Scratch()
    let key = try Scratch.rawKey()
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 9, count: 32)))
    let queue = try scratch.openQueue(old)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a); INSERT INTO t VALUES(7)") }
    try queue.close()
    for _ in 0..<3 {
      try EncryptedDatabase.rekey(at: scratch.file, key: key, format: old, to: other, format: new)
      try EncryptedDatabase.rekey(at: scratch.file, key: other, format: new, to: key, format: old)
    }
    let again = try scratch.openQueue(old)
    #expect(try again.read { try Int.fetchOne($0, sql: "SELECT a FROM t") } == 7)
    try again.close()
    #expect(
      try EncryptedDatabase.verify(at: scratch.file, key: key, format: old).isIntact)
    #expect(throws: AtRestError.self) {
      try EncryptedDatabase.openQueue(at: scratch.file, key: other, format: old, creating: true)
        .close()
    }
  }
}
