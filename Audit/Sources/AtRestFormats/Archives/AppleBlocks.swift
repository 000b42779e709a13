import CLZ4

/// Unpacks the block streams that Apple's compression library writes: LZ4 (`bv41`) and LZFSE (`bvx`).
///
/// Of LZFSE only blocks that are stored are read. A block of LZ4 is its size unpacked and packed,
/// little-endian, and may refer to the last 64 KiB of the blocks before it.
package enum AppleBlocks {
  /// A larger block is not read.
  package static let blockLimit = 64 << 20

  /// Unpacks a file, giving each block as it comes; those before an error are given too.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may come out, whatever the file claims.
  ///   - each: Called with one block at a time; what it throws ends the reading.
  /// - Throws: ``FormatError`` if it is damaged, cut off, larger than the limit, or packed by LZFSE.
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    var window = ByteWindow(source)
    var offset = 0
    var total = 0
    var history: [UInt8] = []
    while true {
      let magic = try window.read(at: offset, count: 4)
      if magic.has("bv4$", at: 0) || magic.has("bvx$", at: 0) { return }
      let isStored = magic.has("bv4-", at: 0) || magic.has("bvx-", at: 0)
      guard isStored || magic.has("bv41", at: 0) else {
        let isPacked =
          magic.has("bvx1", at: 0) || magic.has("bvx2", at: 0)
          || magic.has("bvxn", at: 0)
        throw FormatError(
          isPacked ? "The block is packed by LZFSE, which is not read." : "The block is damaged.",
          offset: offset)
      }
      let header = isStored ? 8 : 12
      let sizes = try window.read(at: offset, count: header)
      let size = sizes.littleEndian(at: 4, size: 4) ?? 0
      let packedSize = isStored ? size : sizes.littleEndian(at: 8, size: 4) ?? 0
      // No byte of LZ4 stands for more than 255.
      guard size <= blockLimit, packedSize <= blockLimit, size <= (packedSize + 1) * 255 else {
        throw FormatError("The block is damaged, or too large.", offset: offset)
      }
      total += size
      guard total <= limit else {
        throw FormatError("What is packed is larger than \(limit) bytes.", offset: offset)
      }
      let packed = try window.read(at: offset + header, count: packedSize)
      guard let block = isStored ? packed : unpacked(packed, size: size, after: history) else {
        throw FormatError("The block is damaged.", offset: offset)
      }
      history += block.suffix(1 << 16)
      if history.count > 1 << 18 { history.removeFirst(history.count - (1 << 16)) }
      if !block.isEmpty { try each(block) }
      offset += header + packedSize
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
