extension SQLiteWAL {
  /// The log with other pages, such as decrypted ones, and the checksums of these.
  ///
  /// A frame whose checksum was wrong, and those after it, keep theirs.
  ///
  /// - Parameters:
  ///   - pageSize: The page size of the database.
  ///   - rewrite: Returns the page that takes the place of one, with its number from 1.
  /// - Throws: ``FormatError`` if the log cannot be read, and what `rewrite` throws.
  package static func rewriting(
    _ log: ByteSource, pageSize: Int,
    _ rewrite: (_ page: ArraySlice<UInt8>, _ number: Int) throws(FormatError) -> [UInt8]
  ) throws(FormatError) -> ByteSource {
    var bytes = try log.read(0..<log.count)
    guard bytes.count > headerSize else { return log }
    var old = Checksum(isBigEndian: bytes.bigEndian32(at: 0) == 0x377F_0683)
    old.add(bytes, 0..<24)
    var new = old
    var isIntact = old.isWritten(in: bytes, at: 24)
    var start = headerSize
    while start + frameHeaderSize + pageSize <= bytes.count {
      let page = start + frameHeaderSize..<start + frameHeaderSize + pageSize
      for range in [start..<start + 8, page] { old.add(bytes, range) }
      isIntact = isIntact && old.isWritten(in: bytes, at: start + 16)
      bytes.replaceSubrange(page, with: try rewrite(bytes[page], bytes.bigEndian32(at: start)))
      if isIntact {
        for range in [start..<start + 8, page] { new.add(bytes, range) }
        new.write(to: &bytes, at: start + 16)
      }
      start = page.upperBound
    }
    return ByteSource(bytes)
  }
}
