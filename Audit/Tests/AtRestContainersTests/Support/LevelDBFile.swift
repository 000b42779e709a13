/// Writes records of LevelDB's logs.
enum LevelDBFile {
  /// Returns a record that is a group of changes.
  static func record(_ content: [UInt8]) -> [UInt8] {
    let sum = checksum([1] + content)
    return (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) }
      + [UInt8(content.count & 0xFF), UInt8(content.count >> 8), 1] + content
  }

  /// A rotated CRC-32C.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let sum = ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0x82F6_3B78) }
    }
    return (sum >> 15 | sum << 17) &+ 0xA282_EAD8
  }
}
