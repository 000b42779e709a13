import CLZ4

/// Unpacks the block streams that Apple's compression library writes: LZ4 (`bv4`) and LZFSE
/// (`bvx`), which uses LZVN for short data.
///
/// A block of LZ4 may refer to the last 64 KiB of the blocks before it, and one of LZFSE to the last
/// 256 KiB.
package enum AppleBlocks {
  /// The maximum size of a block, in bytes.
  package static let blockLimit = 64 << 20

  private enum Block {
    case stored
    case lz4
    case lzvn
    case lzfse(LZFSEBlock)
  }

  /// The head of a block. Sizes are in bytes.
  private struct Head {
    let block: Block
    let headerSize: Int
    let packedSize: Int
    let size: Int
  }

  /// Unpacks a file block by block. Blocks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with each block. An error that it throws stops the reading.
  /// - Returns: The offset of the first byte after the stream.
  /// - Throws: ``FormatError`` if the file is damaged, cut off or larger than the limit.
  @discardableResult
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) -> Int {
    var window = ByteWindow(source)
    var offset = 0
    var total = 0
    var history: [UInt8] = []
    while true {
      let magic = try window.read(at: offset, count: 4)
      if magic.has("bv4$", at: 0) || magic.has("bvx$", at: 0) { return offset + 4 }
      guard let head = try head(magic, &window, at: offset), head.size <= blockLimit,
        head.packedSize <= blockLimit
      else { throw FormatError("The block is damaged or too large.", offset: offset) }
      total += head.size
      guard total <= limit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: offset)
      }
      let start = history.count
      let packed = try window.read(at: offset + head.headerSize, count: head.packedSize)
      let isWhole: Bool
      switch head.block {
      case .stored:
        history += packed
        isWhole = true
      case .lz4:
        let block = unpacked(packed, size: head.size, after: history)
        history += block ?? []
        isWhole = block != nil
      case .lzvn: isWhole = LZVNBlock.unpack(packed, size: head.size, onto: &history)
      case .lzfse(let block):
        let header = try window.read(at: offset, count: head.headerSize)
        isWhole = block.unpack(header + packed, onto: &history)
      }
      if history.count > start { try each(Array(history[start...])) }
      guard isWhole else { throw FormatError("The block is damaged.", offset: offset) }
      if history.count > 4 * LZFSEBlock.historySize {
        history.removeFirst(history.count - LZFSEBlock.historySize)
      }
      offset += head.headerSize + head.packedSize
    }
  }

  /// Reads the head of a block, or returns nil if there is none.
  private static func head(
    _ magic: [UInt8], _ window: inout ByteWindow, at offset: Int
  ) throws(FormatError) -> Head? {
    if magic.has("bv4-", at: 0) || magic.has("bvx-", at: 0) {
      let size = try window.read(at: offset + 4, count: 4).littleEndian(at: 0, size: 4) ?? 0
      return Head(block: .stored, headerSize: 8, packedSize: size, size: size)
    }
    if magic.has("bv41", at: 0) || magic.has("bvxn", at: 0) {
      let sizes = try window.read(at: offset + 4, count: 8)
      let size = sizes.littleEndian(at: 0, size: 4) ?? 0
      let packedSize = sizes.littleEndian(at: 4, size: 4) ?? 0
      // A byte of LZ4 produces at most 255 bytes, and two bytes of LZVN at most 271.
      guard size <= (packedSize + 1) * 255 else { return nil }
      return Head(
        block: magic.has("bv41", at: 0) ? .lz4 : .lzvn, headerSize: 12, packedSize: packedSize,
        size: size)
    }
    let isFirst = magic.has("bvx1", at: 0)
    guard isFirst || magic.has("bvx2", at: 0) else { return nil }
    let header = try window.read(
      at: offset, count: isFirst ? LZFSEBlock.firstHeaderSize : LZFSEBlock.fixedHeaderSize)
    return LZFSEBlock(header, isFirstVersion: isFirst).map { block in
      Head(
        block: .lzfse(block), headerSize: block.headerSize,
        packedSize: block.payloadSizes.literals + block.payloadSizes.matches, size: block.size)
    }
  }

  private static func unpacked(
    _ packed: [UInt8], size: Int, after history: [UInt8]
  ) -> [UInt8]? {
    var length: Int32 = 0
    let block = [UInt8](unsafeUninitializedCapacity: max(1, size)) { room, filled in
      packed.withUnsafeBytes { bytes in
        history.withUnsafeBytes { all in
          let past = UnsafeRawBufferPointer(rebasing: all.suffix(1 << 16))
          length = LZ4_decompress_safe_usingDict(
            bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
            UnsafeMutableRawPointer(
              room.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(packed.count),
            Int32(size), past.baseAddress?.assumingMemoryBound(to: CChar.self),
            Int32(past.count))
        }
      }
      filled = Int(max(0, length))
    }
    return Int(length) == size ? block : nil
  }
}
