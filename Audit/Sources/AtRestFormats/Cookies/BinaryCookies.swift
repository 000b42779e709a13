import Foundation

/// Reads `Cookies.binarycookies`, the file in which Apple's URL loading system keeps cookies.
///
/// The file begins with `cook`, the number of pages and their sizes, big-endian. A page has the
/// mark `00 00 01 00`, the number of records and their offsets. A record has its size, version,
/// flags, the offsets of its strings, and two dates, little-endian. Apple does not document the
/// layout.
package enum BinaryCookies {
  /// The maximum size of a page, in bytes. Larger pages are skipped.
  package static let pageLimit = 64 << 20

  package struct Cookie: Hashable, Sendable {
    package let domain: String
    package let name: String
    package let path: String
    package let value: String
    package let comment: String?
    /// The expiry date, or nil if the stored number is out of range.
    package let expires: Date?
    package let created: Date?
    package let isSecure: Bool
    package let isHTTPOnly: Bool
    package let version: Int
    package let port: Int?
    /// The offset of the record in the file, in bytes.
    package let offset: Int
  }

  /// Reads every cookie, in the order of the file.
  ///
  /// - Parameters:
  ///   - path: The file's name in the returned skips.
  ///   - each: Called with each cookie as it is read.
  /// - Returns: The pages and records that are damaged.
  /// - Throws: ``FormatError`` if the source is not a cookie file.
  package static func read(
    _ source: ByteSource, path: String, each: (Cookie) -> Void
  ) throws(FormatError) -> [Skip] {
    let head = try source.prefix(8)
    guard head.has("cook", at: 0), let count = head.bigEndian(at: 4, size: 4) else {
      throw FormatError("This is not a binary cookie file.", offset: 0)
    }
    guard count <= (source.count - 8) / 4 else {
      throw FormatError("The file has fewer pages than it declares.", offset: 4)
    }
    var window = ByteWindow(source)
    var skips: [Skip] = []
    func skip(_ reason: String, _ offset: Int) {
      if skips.count < 100 {
        skips.append(Skip(path: path, reason: "\(reason) (At byte \(offset).)"))
      }
    }
    var start = 8 + 4 * count
    for page in 0..<count {
      let size = try window.read(at: 8 + 4 * page, count: 4).bigEndian(at: 0, size: 4) ?? 0
      guard size <= source.count - start else {
        skip("The cookie file is cut off.", start)
        if start < source.count {
          let rest = min(Self.pageLimit, source.count - start)
          read(try source.read(start..<start + rest), at: start, skip: skip, each: each)
        }
        break
      }
      if size > pageLimit {
        skip("A page of the cookie file is larger than \(pageLimit) bytes.", start)
      } else if size > 0 {
        read(try source.read(start..<start + size), at: start, skip: skip, each: each)
      }
      start += size
    }
    return skips
  }

  private static func read(
    _ page: [UInt8], at start: Int, skip: (String, Int) -> Void, each: (Cookie) -> Void
  ) {
    guard page.bigEndian(at: 0, size: 4) == 0x100, let count = page.littleEndian(at: 4, size: 4)
    else { return skip("A page of the cookie file is damaged.", start) }
    // Without this limit, overlapping records would let a small page hold a billion cookies.
    var room = page.count
    for index in 0..<min(count, page.count / 4) {
      guard let offset = page.littleEndian(at: 8 + 4 * index, size: 4),
        let size = page.littleEndian(at: offset, size: 4), size >= 56, size <= page.count - offset,
        size <= room
      else {
        skip("A cookie's record is damaged.", start + 8 + 4 * index)
        continue
      }
      room -= size
      if let cookie = cookie(Array(page[offset..<offset + size]), at: start + offset) {
        each(cookie)
      } else {
        skip("A cookie's record is damaged.", start + offset)
      }
    }
    if count > page.count / 4 { skip("A page has fewer cookies than it declares.", start + 4) }
  }

  private static func cookie(_ record: [UInt8], at offset: Int) -> Cookie? {
    func number(_ offset: Int) -> Int { record.littleEndian(at: offset, size: 4) ?? 0 }
    func text(_ field: Int) -> String? {
      let start = number(field)
      return start >= 56 && start < record.count
        ? record.zeroEndedText(in: start..<record.count) : nil
    }
    func date(_ field: Int) -> Date? {
      let seconds = Double(bitPattern: record.littleEndian64(at: field) ?? 0)
      // Dates beyond the year 9999 cannot be formatted.
      return abs(seconds) < 252_423_993_600 ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    }
    guard let domain = text(16), let name = text(20), let path = text(24), let value = text(28)
    else { return nil }
    let flags = number(8)
    return Cookie(
      domain: domain, name: name, path: path, value: value, comment: text(32), expires: date(40),
      created: date(48), isSecure: flags & 1 != 0, isHTTPOnly: flags & 4 != 0, version: number(4),
      port: number(12) == 0 ? nil : record.littleEndian(at: 56, size: 2), offset: offset)
  }
}
