import CLZ4

/// Unpacks the block streams that Apple's compression library writes: LZ4 (`bv41`) and LZFSE
/// (`bvx`).
///
/// For LZFSE, only stored blocks are read. An LZ4 block starts with its unpacked and its packed
/// size, little-endian, and may refer to the last 64 KiB of the blocks before it.
package enum AppleBlocks {
  /// The maximum size of a block, in bytes.
  package static let blockLimit = 64 << 20

  /// Unpacks a file block by block. Blocks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with each block. An error that it throws stops the reading.
  /// - Throws: ``FormatError`` if the file is damaged, cut off, larger than the limit, or
  ///   compressed with LZFSE.
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
          isPacked
            ? "The block is compressed with LZFSE, which is not supported."
            : "The block is damaged.",
          offset: offset)
      }
      let header = isStored ? 8 : 12
      let sizes = try window.read(at: offset, count: header)
      let size = sizes.littleEndian(at: 4, size: 4) ?? 0
      let packedSize = isStored ? size : sizes.littleEndian(at: 8, size: 4) ?? 0
      // A byte of LZ4 produces at most 255 bytes.
      guard size <= blockLimit, packedSize <= blockLimit, size <= (packedSize + 1) * 255 else {
        throw FormatError("The block is damaged or too large.", offset: offset)
      }
      total += size
      guard total <= limit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: offset)
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
