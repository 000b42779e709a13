/// Base64 (RFC 4648) in either alphabet.
enum Base64 {
  static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte. It is 0x40 for line breaks and blanks, and 0xFF for other characters.
  static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    values[0x2D] = 62
    values[0x5F] = 63
    for blank in [0x20, 0x09, 0x0A, 0x0D] { values[blank] = 0x40 }
    return values
  }()

  static func isCharacter(_ byte: UInt8) -> Bool {
    ASCII.isAlphanumeric(byte) || byte == 0x2B || byte == 0x2F || byte == 0x2D || byte == 0x5F
  }

  /// Encodes bytes in Base64, without padding.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    regroup(bytes, bits: 6).map { alphabet[Int($0)] }
  }

  /// The Base64 characters that depend only on these bytes, if `alignment` (0 to 2) other bytes
  /// precede them in their group of three.
  static func core(_ bytes: [UInt8], alignment: Int) -> [UInt8] {
    core(bytes, alignment: alignment, bits: 6, alphabet: alphabet)
  }

  static func core(
    _ bytes: [UInt8], alignment: Int, bits: Int, alphabet: [UInt8]
  ) -> [UInt8] {
    let groups = regroup([UInt8](repeating: 0, count: alignment) + bytes, bits: bits)
    let first = (8 * alignment + bits - 1) / bits
    let end = 8 * (alignment + bytes.count) / bits
    return groups[min(first, end)..<end].map { alphabet[Int($0)] }
  }

  /// Splits bytes into groups of bits. The last group is filled with zeros.
  private static func regroup(_ bytes: [UInt8], bits: Int) -> [UInt8] {
    var groups: [UInt8] = []
    var pending = 0
    var count = 0
    let mask = (1 << bits) - 1
    for byte in bytes {
      pending = (pending << 8 | Int(byte)) & 0xFFFF
      count += 8
      while count >= bits {
        count -= bits
        groups.append(UInt8(pending >> count & mask))
      }
    }
    if count > 0 { groups.append(UInt8(pending << (bits - count) & mask)) }
    return groups
  }
}
