/// A key and its value in a file of LevelDB, the store of Chromium's IndexedDB and Local Storage, of
/// Firestore, and of other libraries.
///
/// The format is described in LevelDB's `doc/log_format.md` and `doc/table_format.md`.
package struct LevelDBRecord: Sendable {
  package let key: [UInt8]
  /// The value, or nil if the record says that the key was deleted.
  package let value: [UInt8]?
  /// True if a later record in the same file replaces or deletes this one. Its bytes stay until the
  /// files are compacted.
  package let isReplaced: Bool
  /// The offset in the file, in bytes, of the block that contains the record.
  package let offset: Int

  /// The checksum of a block or a record: a rotated CRC-32C.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    sum = ~sum
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0x82F6_3B78) }
  }
}
