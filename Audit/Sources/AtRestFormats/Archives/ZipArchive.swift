import CZlib
import Foundation

/// Reads the files of a zip archive, each up to a limit that the caller sets.
///
/// Stored and deflated entries are read, including those of ZIP64. Encrypted entries and other
/// methods are skipped. Other bytes may precede the archive. Thread-safe.
package struct ZipArchive: Sendable {
  /// The maximum number of entries. Further entries are skipped.
  static let entryLimit = 500_000
  private static let chunkSize = 1 << 18

  package let entries: [Entry]
  package let skipped: [Skip]
  /// The number of entries that are encrypted, with ZipCrypto or AES.
  package let encryptedEntries: Int
  private let source: ByteSource

  package struct Entry: Hashable, Sendable {
    package let name: String
    /// The size that the archive claims, which may be false.
    package let size: Int
    let packedSize: Int
    let offset: Int
    let method: Int
    let checksum: UInt32
  }

  /// Reads the directory at the end of the archive.
  ///
  /// - Parameter path: The archive's name in ``skipped``.
  /// - Throws: ``FormatError`` if the source is not a zip archive, or cannot be read.
  package init(_ source: ByteSource, path: String = "") throws(FormatError) {
    self.source = source
    var directory = try ZipDirectory(source)
    (entries, encryptedEntries, skipped) = try directory.read(limit: Self.entryLimit, path: path)
  }

  /// True if the contents of the archive are mostly encrypted.
  package var isEncrypted: Bool {
    encryptedEntries > 0 && encryptedEntries >= entries.count { $0.size > 0 }
  }

  /// Reads the directory of a zip archive in memory.
  ///
  /// - Throws: ``FormatError`` if the data is not a zip archive.
  package init(_ data: Data) throws(FormatError) {
    try self.init(ByteSource([UInt8](data)))
  }

  /// The contents of an entry.
  ///
  /// - Throws: ``FormatError`` as ``read(_:limit:each:)`` does.
  package func read(_ entry: Entry, limit: Int) throws(FormatError) -> Data {
    var result = Data()
    try read(entry, limit: limit) { result.append(contentsOf: $0) }
    return result
  }

  /// Reads an entry chunk by chunk. Chunks before an error are delivered too.
  ///
  /// - Parameter each: Called with at most 256 KiB at a time. An error that it throws stops the
  ///   reading.
  /// - Throws: ``FormatError`` if the entry is damaged, compressed by an unknown method, or larger
  ///   than the limit, whatever size it claims to have.
  package func read(
    _ entry: Entry, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    let range = try contents(of: entry)
    guard entry.size <= limit else {
      throw FormatError("The zip entry is larger than \(limit) bytes.", offset: entry.offset)
    }
    var count = 0
    var checksum = crc32_z(0, nil, 0)
    func take(_ chunk: [UInt8]) throws(FormatError) {
      count += chunk.count
      checksum = crc32_z(checksum, chunk, chunk.count)
      try each(chunk)
    }
    switch entry.method {
    case 0:
      var offset = range.lowerBound
      while offset < range.upperBound {
        let end = offset + min(Self.chunkSize, range.upperBound - offset)
        try take(try source.read(offset..<end))
        offset = end
      }
    case 8:
      try Inflate.read(source, in: range, as: .raw, limit: entry.size, each: take)
    default:
      throw FormatError(
        "The zip entry is compressed by an unknown method.", offset: entry.offset)
    }
    guard count == entry.size, UInt32(truncatingIfNeeded: checksum) == entry.checksum else {
      throw FormatError("The zip entry is damaged.", offset: entry.offset)
    }
  }

  /// The range of an entry's packed bytes.
  private func contents(of entry: Entry) throws(FormatError) -> Range<Int> {
    guard entry.offset <= source.count - 30 else {
      throw FormatError("The zip entry is cut off.", offset: source.count)
    }
    let head = try source.read(entry.offset..<entry.offset + 30)
    guard head.has("PK\u{3}\u{4}", at: 0), let nameLength = head.littleEndian(at: 26, size: 2),
      let extraLength = head.littleEndian(at: 28, size: 2)
    else { throw FormatError("The zip entry is damaged.", offset: entry.offset) }
    let start = entry.offset + 30 + nameLength + extraLength
    guard start <= source.count, entry.packedSize <= source.count - start else {
      throw FormatError("The zip entry is cut off.", offset: entry.offset)
    }
    return start..<start + entry.packedSize
  }
}
