/// Reads a source mostly forwards through a buffer, for formats with many small records.
struct ByteWindow {
  private static let size = 1 << 16

  let source: ByteSource
  private var start = 0
  private var bytes: [UInt8] = []

  init(_ source: ByteSource) {
    self.source = source
  }

  /// Reads a range, through the buffer if it fits.
  ///
  /// - Throws: ``FormatError`` if the range extends beyond the end, or the file cannot be read.
  mutating func read(at offset: Int, count: Int) throws(FormatError) -> [UInt8] {
    guard offset >= 0, count >= 0, count <= source.count, offset <= source.count - count else {
      throw FormatError("The file ends before it should.", offset: source.count)
    }
    if count > Self.size { return try source.read(offset..<offset + count) }
    if offset < start || offset + count > start + bytes.count {
      bytes = try source.read(offset..<offset + min(Self.size, source.count - offset))
      start = offset
    }
    return Array(bytes[offset - start..<offset - start + count])
  }
}
