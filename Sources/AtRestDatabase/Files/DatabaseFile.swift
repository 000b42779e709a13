import AtRestCrypto
import AtRestKeybag
import CAtRestDatabase
import Foundation

/// The file of a database, read page by page without SQLite's connections.
final class DatabaseFile {
  let url: URL
  let format: DatabaseFormat
  /// The size of the file in bytes; 0 if there is none.
  let size: Int
  /// The salt, or nil if the file is shorter or begins with zeros, as after a crash.
  let salt: Data?
  private let file: OpaquePointer?

  init(_ url: URL, format: DatabaseFormat, writes: Bool = false) throws {
    guard url.isFileURL else {
      throw AtRestError.invalid("\(url) is not a file.", remedy: "Use a URL of a file.")
    }
    self.url = url
    self.format = format
    guard try Self.exists(url) else {
      (file, size, salt) = (nil, 0, nil)
      return
    }
    var opened: OpaquePointer?
    let code = SystemPath.with(url.path) { atrest_raw_open($0, writes ? 1 : 0, &opened) }
    guard code == 0, let opened else {
      // SQLITE_READONLY
      guard code != 8 else { throw AtRestError.readOnly(url) }
      guard SystemPath.with(url.path, { access($0, R_OK) }) == 0 || errno != EACCES else {
        throw AtRestError(
          .notPermitted, "The database \(url.path) may not be read.",
          remedy: "Check its permissions.")
      }
      throw AtRestError(
        .system, "The database \(url.path) could not be read.",
        remedy: "Check that it is a file, and its permissions.")
    }
    var bytes: Int64 = 0
    var start = Data(count: DatabaseFormat.saltSize)
    let hasStart = start.withUnsafeMutableBytes {
      atrest_raw_read(opened, $0.baseAddress!, Int32($0.count), 0) == 0
    }
    let isKnown = atrest_raw_size(opened, &bytes) == 0
    file = opened
    size = Int(bytes)
    salt = hasStart && start.contains { $0 != 0 } ? start : nil
    guard isKnown else {
      throw AtRestError(
        .system, "The size of the database \(url.path) could not be read.",
        remedy: "Check the disk.")
    }
  }

  deinit { if let file { atrest_raw_close(file) } }

  private static let plaintext = Data("SQLite format 3\0".utf8)

  /// Returns false only if there is no such file.
  static func exists(_ url: URL) throws -> Bool {
    if let status = SystemPath.status(url.path) {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw AtRestError.invalid("\(url.path) is not a file.", remedy: "Name a file.")
      }
      return true
    }
    let number = errno
    if number == ENOENT { return false }
    throw AtRestError(
      number == EACCES ? .notPermitted : .system, "The database \(url.path) could not be read.",
      remedy: "Check the permissions of its folders.",
      cause: POSIXError(.init(rawValue: number) ?? .EIO))
  }

  static func isLink(_ url: URL) -> Bool {
    SystemPath.status(url.path, followingLinks: false).map { $0.st_mode & S_IFMT == S_IFLNK }
      ?? false
  }

  var isEmpty: Bool { size == 0 }

  /// True if the file is a database in plaintext. One whose header is in plaintext begins in the same
  /// way, but has the reserve.
  var isPlaintext: Bool {
    guard salt == Self.plaintext else { return false }
    let reserve = bytes(at: 20, count: 1)?.first ?? 0
    return !format.hasPlaintextHeader || Int(reserve) < format.reserve
  }

  /// True if the path names another file by now, or none. The salt does not tell this if the header is in plaintext.
  var hasMoved: Bool { file.map { atrest_raw_has_moved($0) == 1 } ?? false }

  /// True if the path has another file meanwhile, or one with another salt.
  var isReplaced: Bool {
    guard let present = try? DatabaseFile(url, format: format).salt else { return false }
    return present != salt || hasMoved
  }

  /// The size that the file has now, or had when it was opened if that cannot be read.
  var presentSize: Int {
    var bytes: Int64 = 0
    guard let file, atrest_raw_size(file, &bytes) == 0 else { return size }
    return Int(bytes)
  }

  /// The number of whole pages.
  func pageCount(of size: Int) -> Int { self.size / size }

  /// True if the file ends within a page.
  func endsWithinPage(of size: Int) -> Bool { self.size % size != 0 }

  /// Returns true if a page is authentic under a cipher.
  func isAuthentic(_ page: UInt32, _ cipher: PageCipher) -> Bool {
    let size = cipher.format.pageSize
    guard let sealed = bytes(at: Int(page - 1) * size, count: size) else { return false }
    return sealed.withUnsafeBytes { cipher.isAuthentic(page, $0) }
  }

  /// Returns true if one of up to 64 pages, spread over the file, is authentic under a cipher. Without an HMAC,
  /// only page 1 shows that.
  func hasAuthenticPage(_ cipher: PageCipher) -> Bool {
    guard cipher.format.authentication != nil else { return isAuthentic(1, cipher) }
    let count = pageCount(of: cipher.format.pageSize)
    return count > 0
      && stride(from: 1, through: count, by: max(1, count / 64)).contains {
        isAuthentic(UInt32($0), cipher)
      }
  }

  /// Writes bytes into the file, and waits until they are on the disk.
  func write(_ data: Data, at offset: Int) throws {
    let code = data.withUnsafeBytes { bytes in
      file.map { atrest_raw_write($0, bytes.baseAddress!, Int32(bytes.count), Int64(offset)) } ?? -1
    }
    guard code == 0 else {
      throw AtRestError(
        .system, "The database \(url.path) could not be written (code \(code)).",
        remedy: "Check its permissions, and the free space of its disk.")
    }
  }

  /// Overwrites page 1, so that connections which still have the file report an error.
  func invalidate() throws {
    do {
      try write(RandomBytes.data(count: format.pageSize), at: 0)
    } catch {
      throw AtRestError(
        .system, "The replaced database \(url.path) could not be overwritten.",
        remedy: "Close all other connections to it: they would write to a file without a name.",
        cause: error)
    }
  }

  /// Returns bytes as they are in the file, or nil if it is shorter.
  func bytes(at offset: Int, count: Int) -> Data? {
    guard let file, offset + count <= size else { return nil }
    var bytes = Data(count: count)
    let code = bytes.withUnsafeMutableBytes {
      atrest_raw_read(file, $0.baseAddress!, Int32(count), Int64(offset))
    }
    return code == 0 ? bytes : nil
  }
}
