/// The first hundred bytes of a database.
package struct SQLiteHeader {
  package static let magic = Array("SQLite format 3\0".utf8)
  package static let size = 100

  package let pageSize: Int
  /// The number of bytes at the end of each page that SQLite does not use.
  package let reserved: Int
  let encoding: SQLiteEncoding
  /// The number of pages, or nil if the program that last wrote the file did not keep it up to
  /// date.
  let pageCount: Int?
  let freelist: Int
  let isAutoVacuumed: Bool

  /// Creates the header of a database whose first page is lost.
  init(pageSize: Int) {
    (self.pageSize, reserved, encoding) = (pageSize, 0, .utf8)
    (pageCount, freelist, isAutoVacuumed) = (nil, 0, false)
  }

  package init?(_ bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes.prefix(Self.size))
    guard bytes.count == Self.size, bytes.starts(with: Self.magic),
      let pageSize = Self.pageSize(bytes.bigEndian16(at: 16))
    else { return nil }
    self.pageSize = pageSize
    // SQLite does not read pages with fewer than 480 usable bytes.
    reserved = min(Int(bytes[20]), pageSize - 480)
    encoding = SQLiteEncoding(rawValue: UInt32(bytes.bigEndian32(at: 56))) ?? .utf8
    let count = bytes.bigEndian32(at: 28)
    pageCount = bytes.bigEndian32(at: 24) == bytes.bigEndian32(at: 92) && count > 0 ? count : nil
    freelist = bytes.bigEndian32(at: 32)
    isAutoVacuumed = bytes.bigEndian32(at: 52) != 0
  }

  /// The page size for a stored value: a power of two from 512 to 65,536. The largest is stored as
  /// 1, because it does not fit into two bytes.
  package static func pageSize(_ value: Int) -> Int? {
    let size = value == 1 ? 65_536 : value
    return (512...65_536).contains(size) && size & (size - 1) == 0 ? size : nil
  }
}

extension [UInt8] {
  /// Reads a number. The caller ensures that the bytes exist.
  package func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// Reads a number. The caller ensures that the bytes exist.
  func bigEndian32(at offset: Int) -> Int {
    bigEndian16(at: offset) << 16 | bigEndian16(at: offset + 2)
  }

  /// Reads a number of one to nine bytes. Returns nil if it does not end before the limit.
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
