import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// What is in the page with SQLite's locks, which SQLite never reads, does not keep a database from a new key.
struct LocksPageTests {
  @Test func aByteInThePageIsNotDamage() throws {
    let scratch = try Scratch()
    let raw = try DatabaseKey.raw(SecretBytes(Data(repeating: 7, count: 48)))
    let other = try DatabaseKey.raw(SecretBytes(Data(repeating: 8, count: 48)))
    var format = DatabaseFormat.sqlcipher4
    format.hasPlaintextHeader = true
    format.pageSize = 65_536
    try EncryptedDatabase.create(at: scratch.file, key: raw, format: format)
    // The header, which is not authenticated in this format, gets the size of the file.
    let locks = 0x4000_0000 / 65_536 + 1
    let handle = try FileHandle(forUpdating: scratch.file)
    try handle.seek(toOffset: 28)
    try handle.write(contentsOf: Data([0, 0, UInt8(locks >> 8), UInt8(locks & 255)]))
    try handle.truncate(atOffset: UInt64(locks * 65_536))
    try handle.seek(toOffset: 0x4000_0000 + 100)
    try handle.write(contentsOf: Data([1]))
    try EncryptedDatabase.rekey(at: scratch.file, key: raw, format: format, to: other)
    // Control: in another page, it is damage.
    let changed = try FileHandle(forUpdating: scratch.file)
    try changed.seek(toOffset: 0x4000_0000 - 100)
    try changed.write(contentsOf: Data([1]))
    let error = #expect(throws: AtRestError.self) {
      try EncryptedDatabase.rekey(at: scratch.file, key: other, format: format, to: raw)
    }
    #expect(error?.code == .damaged)
  }
}
