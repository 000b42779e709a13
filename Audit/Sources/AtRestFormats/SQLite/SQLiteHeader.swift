/// The first hundred bytes of a database.
struct SQLiteHeader {
  static let magic = Array("SQLite format 3\0".utf8)
  static let size = 100

  let pageSize: Int
  let reserved: Int
  let encoding: SQLiteEncoding
  /// None if what wrote the file last did not keep it.
  let pageCount: Int?
  let freelist: Int
  let isAutoVacuumed: Bool

  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.size))
    guard bytes.count == Self.size, bytes.starts(with: Self.magic),
      let pageSize = Self.pageSize(bytes.bigEndian16(at: 16))
    else { return nil }
    self.pageSize = pageSize
    // SQLite reads no page of which fewer than 480 bytes are usable.
    reserved = min(Int(bytes[20]), pageSize - 480)
    encoding = SQLiteEncoding(rawValue: UInt32(bytes.bigEndian32(at: 56))) ?? .utf8
    let count = bytes.bigEndian32(at: 28)
    pageCount = bytes.bigEndian32(at: 24) == bytes.bigEndian32(at: 92) && count > 0 ? count : nil
    freelist = bytes.bigEndian32(at: 32)
    isAutoVacuumed = bytes.bigEndian32(at: 52) != 0
  }

  /// A power of two from 512 to 65,536, which is written as 1 where two bytes have to hold it.
  static func pageSize(_ value: Int) -> Int? {
    let size = value == 1 ? 65_536 : value
    return (512...65_536).contains(size) && size & (size - 1) == 0 ? size : nil
  }
}

extension [UInt8] {
  /// The caller sees to it that the bytes are there.
  func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// The caller sees to it that the bytes are there.
  func bigEndian32(at offset: Int) -> Int {
    bigEndian16(at: offset) << 16 | bigEndian16(at: offset + 2)
  }

  /// A number of one to nine bytes, seven bits each, that ends before a limit.
  func sqliteVarint(at offset: inout Int, limit: Int) -> UInt64? {
    guard offset < limit else { return nil }
    let first = self[offset]
    if first < 0x80 {
      offset += 1
      return UInt64(first)
    }
    var result = UInt64(first & 0x7F)
    for length in 2...8 {
      guard offset + length <= limit else { return nil }
      let byte = self[offset + length - 1]
      result = result << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 {
        offset += length
        return result
      }
    }
    guard offset + 9 <= limit else { return nil }
    result = result << 8 | UInt64(self[offset + 8])
    offset += 9
    return result
  }
}
