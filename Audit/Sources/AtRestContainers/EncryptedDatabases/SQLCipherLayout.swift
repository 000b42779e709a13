import AtRestFormats

/// The sizes that distinguish the variants of SQLCipher's files. A file does not say which of them it has.
///
/// Source: SQLCipher's `src/sqlcipher.c` and its page on the design of the format. Each page is encrypted with
/// AES-256-CBC, and its last bytes hold the IV and an HMAC. The first page begins with a salt of 16 bytes in the
/// place of SQLite's magic number, or, with `cipher_plaintext_header_size`, with the first bytes of the database
/// in plaintext.
struct SQLCipherLayout: Hashable, Sendable {
  static let saltSize = 16
  static let blockSize = 16
  /// The IV and an HMAC of SHA-512 (version 4), of SHA-1 or SHA-256 (versions 2 and 3), or none (version 1).
  static let reserves = [80, 48, 16]
  static let pageSizes = (9...16).map { 1 << $0 }

  let pageSize: Int
  /// The number of bytes at the end of each page that are not encrypted.
  let reserve: Int
  /// The number of bytes at the beginning of the first page that are not encrypted.
  let clear: Int

  /// The layouts that a header in plaintext allows, or none if it is not that of an encrypted file.
  ///
  /// - Parameter head: The first bytes of the file.
  static func allowed(byPlaintextHeader head: [UInt8]) -> [SQLCipherLayout] {
    guard head.count >= 112, let header = SQLiteHeader(head), !isTree(head[100...], of: .table)
    else { return [] }
    return reserves.filter { isReserve(header.reserved, holding: $0) }.map {
      SQLCipherLayout(pageSize: header.pageSize, reserve: $0, clear: 32)
    }
  }

  init(pageSize: Int, reserve: Int, clear: Int = saltSize) {
    (self.pageSize, self.reserve, self.clear) = (pageSize, reserve, clear)
  }

  /// SQLite may keep more bytes free than SQLCipher uses, if the application changed the HMAC after it set the key.
  private static func isReserve(_ written: Int, holding reserve: Int) -> Bool {
    reserves.contains(written) && written >= reserve
  }

  /// The types of pages with the rows of tables, and with those of indices too.
  enum Trees { case table, all }

  /// Returns true for the beginning of a page with rows. One in some thousand random values passes.
  ///
  /// - Parameter page: The page, of which 8 bytes are read, from offset 100 in the case of the first one.
  static func isTree(_ page: ArraySlice<UInt8>, of trees: Trees) -> Bool {
    let bytes = Array(page.prefix(8))
    let first = page.startIndex + 8
    let (free, start) = (bytes.bigEndian16(at: 1), bytes.bigEndian16(at: 5))
    let types: [UInt8] = trees == .table ? [5, 13] : [2, 5, 10, 13]
    return types.contains(bytes[0]) && bytes[7] <= 60 && (free == 0 || free >= first)
      && (start == 0 || start >= first + 2 * bytes.bigEndian16(at: 3))
  }

  /// Returns true for bytes 16 to 23 of the first page, if it has this layout.
  ///
  /// - Note: The chance of other bytes is 2⁻⁵⁴, so a key that leads to them is the right one.
  func isHeader(_ bytes: [UInt8]) -> Bool {
    SQLiteHeader.pageSize(bytes.bigEndian16(at: 0)) == pageSize && (1...2).contains(bytes[2])
      && (1...2).contains(bytes[3]) && Self.isReserve(Int(bytes[4]), holding: reserve)
      && bytes[5...7].elementsEqual([64, 32, 32])
  }
}
