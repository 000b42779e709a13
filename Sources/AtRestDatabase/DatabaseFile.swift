import AtRestCrypto
import Foundation

/// The file of a database, read page by page without SQLite.
struct DatabaseFile {
  let url: URL
  let format: DatabaseFormat
  /// The size of the file in bytes; 0 if there is none.
  let size: Int
  /// The first 16 bytes, or nil if the file is shorter.
  let salt: Data?
  private let handle: FileHandle?

  init(_ url: URL, format: DatabaseFormat) throws {
    self.url = url
    self.format = format
    do {
      guard FileManager.default.fileExists(atPath: url.path) else {
        (handle, size, salt) = (nil, 0, nil)
        return
      }
      let handle = try FileHandle(forReadingFrom: url)
      self.handle = handle
      size = Int(try handle.seekToEnd())
      try handle.seek(toOffset: 0)
      let start = try handle.read(upToCount: DatabaseFormat.saltSize)
      salt = start?.count == DatabaseFormat.saltSize ? start : nil
    } catch {
      throw AtRestError(
        .system, "The database \(url.path) could not be read.",
        remedy: "Check that it is a file, and its permissions.", cause: error)
    }
  }

  var isEmpty: Bool { size == 0 }
  /// True if the file is a database that is not encrypted, or one whose header is in plaintext.
  var hasPlaintextHeader: Bool { salt == Data("SQLite format 3\0".utf8) }

  /// The number of whole pages.
  func pageCount(of size: Int) -> Int { self.size / size }

  /// Returns true if a page is authentic under a cipher.
  func isAuthentic(_ page: UInt32, _ cipher: PageCipher) throws -> Bool {
    guard let sealed = try sealedPage(page, size: cipher.format.pageSize) else { return false }
    return sealed.withUnsafeBytes { cipher.isAuthentic(page, $0) }
  }

  /// Returns a page as it is in the file, or nil if the file is shorter.
  func sealedPage(_ page: UInt32, size: Int) throws -> Data? {
    guard let handle, page >= 1 else { return nil }
    try handle.seek(toOffset: UInt64(page - 1) * UInt64(size))
    let sealed = try handle.read(upToCount: size)
    return sealed?.count == size ? sealed : nil
  }
}
