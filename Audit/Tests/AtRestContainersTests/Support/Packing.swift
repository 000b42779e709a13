/// Writes compressed files, and archives of one file.
enum Packing {
  /// Returns a gzip file (RFC 1952) with one block of fixed codes, without repetitions.
  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflate(bytes) + little(checksum(bytes), 4)
      + little(UInt32(bytes.count), 4)
  }

  static func zip(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let packed = deflate(bytes)
    var head: [UInt8] = [20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0x50]
    head += little(checksum(bytes), 4) + little(UInt32(packed.count), 4)
    head += little(UInt32(bytes.count), 4) + little(UInt32(name.utf8.count), 2) + [0, 0]
    let local = [0x50, 0x4B, 3, 4] + head + Array(name.utf8) + packed
    let entry =
      [0x50, 0x4B, 1, 2, 20, 0] + head + [UInt8](repeating: 0, count: 14) + Array(name.utf8)
    return local + entry + [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0]
      + little(UInt32(entry.count), 4) + little(UInt32(local.count), 4) + [0, 0]
  }

  /// Returns a tar archive in the format of POSIX 1988.
  ///
  /// - Parameters:
  ///   - kind: The letter of the entry's kind: `0` for a file, `5` for a folder, `x` for attributes of the next one.
  ///   - rest: What follows the entry: the end of the archive, or another archive.
  static func tar(
    _ name: String, _ bytes: [UInt8], kind: String = "0",
    rest: [UInt8] = [UInt8](repeating: 0, count: 1024)
  ) -> [UInt8] {
    func field(_ text: String, _ size: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0, count: size - text.utf8.count)
    }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: digits - text.count) + text
    }
    var head = field(name, 100) + field("0000644", 8) + field("0000000", 8) + field("0000000", 8)
    head += field(octal(bytes.count, 11), 12) + field(octal(1_600_000_000, 11), 12)
    head += Array("        \(kind)".utf8) + field("", 100) + field("ustar", 6) + Array("00".utf8)
    head += [UInt8](repeating: 0, count: 512 - head.count)
    let sum = head.reduce(0) { $0 + Int($1) }
    head.replaceSubrange(148..<156, with: Array((octal(sum, 6) + "\0 ").utf8))
    let padding = (512 - bytes.count % 512) % 512
    return head + bytes + [UInt8](repeating: 0, count: padding) + rest
  }

  /// Returns an LZ4 frame with one block, which is stored uncompressed.
  static func lz4(_ bytes: [UInt8]) -> [UInt8] {
    [0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82] + little(UInt32(bytes.count) | 1 << 31, 4) + bytes
      + [0, 0, 0, 0]
  }

  /// Returns a zlib stream (RFC 1950) of a number of zeros, a multiple of 258 plus 1 or rounded
  /// down to one. It is damaged at its end, because it has no checksum.
  static func zeros(_ count: Int) -> [UInt8] {
    // Fixed codes: a zero, then its repetition, 258 bytes at a time.
    var bits: [UInt8] = [1, 1, 0]
    bits += [0, 0, 1, 1, 0, 0, 0, 0]
    for _ in 0..<count / 258 { bits += [1, 1, 0, 0, 0, 1, 0, 1] + [0, 0, 0, 0, 0] }
    bits += [0, 0, 0, 0, 0, 0, 0]
    var result: [UInt8] = [0x78, 0x9C]
    for start in stride(from: 0, to: bits.count, by: 8) {
      result.append(
        bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | $1 })
    }
    return result
  }

  /// Compresses bytes as RFC 1951 says, with fixed codes and without repetitions.
  private static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var count = 0
    func append(_ bit: UInt32) {
      if count % 8 == 0 { result.append(0) }
      result[result.count - 1] |= UInt8(bit) << UInt8(count % 8)
      count += 1
    }
    for bit in [1, 1, 0] as [UInt32] { append(bit) }
    func code(_ code: UInt32, _ length: UInt32) {
      for bit in (0..<length).reversed() { append(code >> bit & 1) }
    }
    for byte in bytes {
      byte < 144 ? code(0x30 + UInt32(byte), 8) : code(0x190 + UInt32(byte) - 144, 9)
    }
    code(0, 7)
    return result
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
  }

  private static func little(_ number: UInt32, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
  }
}

extension Packing {
  /// Returns a zlib stream (RFC 1950) with one block of fixed codes, without repetitions.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return [0x78, 0x9C] + deflate(bytes)
      + [high >> 8, high & 0xFF, low >> 8, low & 0xFF].map { UInt8($0) }
  }
}
