import AtRestFormats
import Crypto
import CryptoExtras
import Foundation

/// The decryption of a database of SQLCipher, page by page, in memory.
///
/// - Warning: **Unauthenticated.** The HMAC of a page is not checked, so a page that was modified decrypts to noise.
///
/// A value type: safe to use from any thread.
struct SQLCipherPages: Sendable {
  let layout: SQLCipherLayout
  let key: SymmetricKey

  /// The database as SQLite would read it. Pages are decrypted when they are read.
  func plaintext(of source: ByteSource) -> ByteSource {
    let size = layout.pageSize
    return ByteSource(count: source.count / size * size) { range throws(FormatError) in
      if range.isEmpty { return [] }
      let first = range.lowerBound / size
      let last = (range.upperBound - 1) / size
      let bytes = try source.read(first * size..<(last + 1) * size)
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      for page in first...last {
        let start = (page - first) * size
        result += try self.page(bytes[start..<start + size], number: page + 1)
      }
      return Array(result[(range.lowerBound - first * size)...].prefix(range.count))
    }
  }

  /// The write-ahead log as SQLite would read it.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  func plaintext(ofLog log: ByteSource) throws(FormatError) -> ByteSource {
    try SQLiteWAL.rewriting(log, pageSize: layout.pageSize) { page, number throws(FormatError) in
      try self.page(page, number: number)
    }
  }

  /// Decrypts a page. The bytes that SQLCipher keeps at its end become zeros.
  ///
  /// - Parameter number: The page's number, from 1.
  private func page(_ page: ArraySlice<UInt8>, number: Int) throws(FormatError) -> [UInt8] {
    let clear = number == 1 ? layout.clear : 0
    let body = page.dropFirst(clear).dropLast(layout.reserve)
    let iv = page.suffix(layout.reserve).prefix(SQLCipherLayout.blockSize)
    let start =
      switch clear {
      case 0: [UInt8]()
      case SQLCipherLayout.saltSize: SQLiteHeader.magic
      default: Array(page.prefix(clear))
      }
    do {
      let plaintext = try AES._CBC.decrypt(
        body, using: key, iv: AES._CBC.IV(ivBytes: iv), noPadding: true)
      return start + plaintext + [UInt8](repeating: 0, count: layout.reserve)
    } catch {
      throw FormatError("Page \(number) cannot be decrypted: \(error)")
    }
  }
}
