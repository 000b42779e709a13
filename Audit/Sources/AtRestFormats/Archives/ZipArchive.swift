import CZlib
import Foundation

/// Reads the files of a zip archive, each up to a limit that the caller sets.
///
/// Stored and deflated entries are read, including those of ZIP64. Encrypted entries and other
/// methods are skipped. Those that are encrypted with AES are listed, and unpacked once they are
/// decrypted. Other bytes may precede the archive, and without its directory the entries are found by
/// their own headers. Thread-safe.
package struct ZipArchive: Sendable {
  /// The maximum number of entries. Further entries are skipped.
  static let entryLimit = 500_000
  private static let chunkSize = 1 << 18

  package let entries: [Entry]
  package let skipped: [Skip]
  /// The number of entries that are encrypted, with ZipCrypto or AES.
  package let encryptedEntries: Int
  /// The entries that are encrypted with AES.
  package let lockedEntries: [Entry]
  private let source: ByteSource

  package struct Entry: Hashable, Sendable {
    package let name: String
    /// The size that the archive claims, which may be false.
    package let size: Int
    let packedSize: Int
    let offset: Int
    let method: Int
    /// The checksum of the contents, or nil if their authentication takes its place.
    let checksum: UInt32?
    /// The encryption with AES, or nil if the entry is not encrypted.
    package var encryption: ZipEncryption?
    /// True if the archive ends within the entry, so that its sizes are unknown.
    var isCut = false
  }

  /// Returns true if a file that begins like no archive ends with one.
  package static func isBehind(_ source: ByteSource) -> Bool {
    (try? ZipDirectory(source)).map { $0.isMoved } ?? false
  }

  /// Reads the directory at the end of the archive.
  ///
  /// - Parameters:
  ///   - path: The archive's name in ``skipped``.
  ///   - isWhole: True to refuse an archive without its directory.
  /// - Throws: ``FormatError`` if the source is not a zip archive, or cannot be read.
  package init(
    _ source: ByteSource, path: String = "", isWhole: Bool = false
  ) throws(FormatError) {
    self.source = source
    let contents = try ZipDirectory.contents(
      of: source, limit: Self.entryLimit, path: path, isWhole: isWhole)
    (entries, lockedEntries) = (contents.entries, contents.locked)
    (encryptedEntries, skipped) = (contents.encrypted, contents.skipped)
  }

  /// The reason why an entry that is encrypted with AES is not read.
  package static let isEncryptedReason = "The zip entry is encrypted."

  /// True if the contents of the archive are mostly encrypted.
  package var isEncrypted: Bool {
    encryptedEntries > 0 && encryptedEntries >= entries.count { $0.size > 0 }
  }

  /// Reads the directory of a zip archive in memory.
  ///
  /// - Throws: ``FormatError`` if the data is not a zip archive, or lacks its directory.
  package init(_ data: Data) throws(FormatError) {
    try self.init(ByteSource([UInt8](data)), isWhole: true)
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
    try Self.unpack(try packed(entry), as: entry, limit: limit, each: each)
  }

  /// The bytes of an entry as they are stored.
  ///
  /// - Throws: ``FormatError`` if the entry is damaged.
  package func packed(_ entry: Entry) throws(FormatError) -> ByteSource {
    try ByteSource(source, try contents(of: entry))
  }

  /// Unpacks the bytes of an entry chunk by chunk, as ``read(_:limit:each:)`` does.
  ///
  /// - Parameter packed: The bytes as they are stored. Those of an encrypted entry were decrypted.
  /// - Throws: ``FormatError`` as ``read(_:limit:each:)`` does.
  package static func unpack(
    _ packed: ByteSource, as entry: Entry, limit: Int,
    each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
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
      var offset = 0
      while offset < packed.count {
        let end = offset + min(chunkSize, packed.count - offset)
        try take(try packed.read(offset..<end))
        offset = end
      }
    case 8:
      try Inflate.read(
        packed, in: 0..<packed.count, as: .raw, limit: entry.isCut ? limit : entry.size, each: take)
    default:
      throw FormatError(
        "The zip entry is compressed by an unknown method.", offset: entry.offset)
    }
    let isIntact = entry.checksum.map { $0 == UInt32(truncatingIfNeeded: checksum) } ?? true
    guard count == entry.size, isIntact, !entry.isCut else {
      let reason = packed.count < entry.packedSize || entry.isCut ? "cut off" : "damaged"
      throw FormatError("The zip entry is \(reason).", offset: entry.offset)
    }
  }

  /// The range of an entry's packed bytes, as far as the file goes.
  private func contents(of entry: Entry) throws(FormatError) -> Range<Int> {
    guard entry.offset <= source.count - 30 else {
      throw FormatError("The zip entry is cut off.", offset: source.count)
    }
    let head = try source.read(entry.offset..<entry.offset + 30)
    guard head.has("PK\u{3}\u{4}", at: 0), let nameLength = head.littleEndian(at: 26, size: 2),
      let extraLength = head.littleEndian(at: 28, size: 2)
    else { throw FormatError("The zip entry is damaged.", offset: entry.offset) }
    let start = entry.offset + 30 + nameLength + extraLength
    guard start <= source.count else {
      throw FormatError("The zip entry is cut off.", offset: entry.offset)
    }
    return start..<start + min(entry.packedSize, source.count - start)
  }
}
