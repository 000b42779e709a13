/// Reads files of the unified log (`tracev3`), as far as their texts are in them.
///
/// A file consists of chunks: a tag, a version, a size and the contents. The lines are in chunks that LZ4 packs. The fixed
/// texts of most lines are in the program that wrote them. The texts that were inserted are here, unless they are private.
package enum UnifiedLog {
  private static let headerSize = 16
  private static let headerTag = 0x1000
  private static let version = 0x11
  /// The tag of a chunk that is packed.
  private static let packedTag = 0x600D
  /// The maximum size of a chunk in bytes.
  private static let chunkLimit = 64 << 20

  package struct Chunk: Sendable {
    /// The offset of the contents in the file, in bytes.
    package let offset: Int
    package let isPacked: Bool
    package let bytes: [UInt8]
  }

  /// Returns true for the first chunk of a file.
  static func isLog(_ head: [UInt8]) -> Bool {
    head.littleEndian(at: 0, size: 4) == headerTag && head.littleEndian(at: 4, size: 4) == version
      && head.littleEndian64(at: 8).map { (headerSize..<4096).contains(Int(clamping: $0)) } == true
  }

  /// Reads the chunks in their order.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes.
  ///   - each: An error that it throws ends the reading.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if the file cannot be read, or the limit is reached.
  package static func read(
    _ source: ByteSource, limit: Int, path: String, each: (Chunk) throws(FormatError) -> Void
  ) throws(FormatError) -> [Skip] {
    var skipped: [Skip] = []
    var offset = 0
    var left = limit
    func skip(_ reason: String) { skipped.append(Skip(path: path, reason: reason)) }
    while offset <= source.count - headerSize {
      let head = try source.read(offset..<offset + headerSize)
      let start = offset + headerSize
      guard let tag = head.littleEndian(at: 0, size: 4),
        let size = head.littleEndian(at: 8, size: 7),
        tag != 0, head[15] == 0, size <= chunkLimit
      else {
        skip("The chunk at byte \(offset) is damaged.")
        return skipped
      }
      let end = min(source.count, start + size)
      if end - start < size { skip("The chunk at byte \(offset) is cut off.") }
      guard tag == packedTag else {
        try each(Chunk(offset: start, isPacked: false, bytes: try source.read(start..<end)))
        offset = start + (size + 7) / 8 * 8
        continue
      }
      var bytes: [UInt8] = []
      do throws(FormatError) {
        try AppleBlocks.read(try ByteSource(source, start..<end), limit: left) { bytes += $0 }
      } catch {
        skip("The chunk at byte \(offset) is not read to its end: \(error.message)")
      }
      left -= bytes.count
      if !bytes.isEmpty { try each(Chunk(offset: start, isPacked: true, bytes: bytes)) }
      offset = start + (size + 7) / 8 * 8
    }
    return skipped
  }
}
