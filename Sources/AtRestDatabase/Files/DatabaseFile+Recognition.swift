import AtRestCrypto
import Foundation

extension DatabaseFile {
  /// Returns true if page 1 is authentic under a cipher. In a format without HMAC, it is decrypted, and must
  /// have the header of a database in the format.
  func recognizes(_ cipher: PageCipher) -> Bool { isAuthentic(1, cipher) }

  /// Returns the number of pages that the database has according to its first page, or nil if the page is not
  /// authentic or does not say it.
  func headerPageCount(_ cipher: PageCipher) -> Int? {
    guard recognizes(cipher), let header = header(cipher) else { return nil }
    let count = header[28..<32].reduce(0) { $0 << 8 | Int($1) }
    // A version of SQLite that does not know the number leaves it, and raises only the counter.
    return count > 0 && header[24..<28].elementsEqual(header[92..<96]) ? count : nil
  }

  /// Decrypts the header in page 1.
  private func header(_ cipher: PageCipher) -> [UInt8]? {
    let size = cipher.format.pageSize
    guard let sealed = bytes(at: 0, count: size) else { return nil }
    var plain = Data(count: size)
    defer { plain.resetBytes(in: 0..<size) }
    do {
      try plain.withUnsafeMutableBytes { plain in
        try sealed.withUnsafeBytes { try cipher.open(1, $0, into: plain) }
      }
    } catch { return nil }
    return Array(plain.prefix(100))
  }

  /// True if the database has more pages than the file, so somebody cut it off.
  func isCut(_ cipher: PageCipher) -> Bool {
    headerPageCount(cipher).map { $0 > pageCount(of: cipher.format.pageSize) } ?? false
  }
}
