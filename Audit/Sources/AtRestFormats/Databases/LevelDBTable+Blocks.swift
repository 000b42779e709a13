/// Tables whose end is missing, and with it the index.
extension LevelDBTable {
  /// The size in bytes of the first attempt to read a block. Most blocks have 4 KiB.
  private static let windowSize = 64 << 10

  /// Returns true if a file without the end of a table begins with an intact block of records.
  package static func isCut(_ source: ByteSource) -> Bool {
    guard let (bytes, _) = try? nextBlock(source, at: 0, limit: blockLimit) else { return false }
    var hasRecord = false
    _ = entries(of: contents(of: bytes) ?? []) { key, _ in
      hasRecord = key.count >= suffixSize
      return false
    }
    return hasRecord
  }

  /// Reads the blocks from the start of the file up to the index or the first that is damaged.
  static func readBlocks(
    _ source: ByteSource, path: String, _ records: inout Records,
    _ each: (LevelDBRecord) -> Void
  ) throws(FormatError) -> [Skip] {
    var offset = 0
    var first: Handle?
    /// The index begins with the place of the first block.
    func isIndex(_ block: ArraySlice<UInt8>) -> Bool {
      var isIndex = false
      _ = entries(of: block) { _, value in
        isIndex = first != nil && Handle(value) == first
        return false
      }
      return isIndex
    }
    while let (bytes, size) = try nextBlock(source, at: offset, limit: records.limit),
      !isIndex(contents(of: bytes) ?? [])
    {
      _ = try records.read(bytes, at: offset, each)
      first = first ?? Handle(offset: 0, size: size)
      offset += size + trailerSize
    }
    // A block that is not complete is read as far as it goes.
    let packed = try source.read(offset..<min(source.count, offset + blockLimit))
    let unpacked = Snappy.read(packed[...], limit: records.limit)?.bytes ?? []
    for bytes in [unpacked, packed] {
      var count = 0
      if isIndex(bytes[...]) { break }
      _ = try records.read(entries: bytes[...], at: offset) { record in
        each(record)
        count += 1
      }
      if count > 0 { break }
    }
    let reason =
      "The index of the table is missing or damaged. Its blocks were read up to byte \(offset)."
    return [Skip(path: path, reason: reason)]
  }

  /// The contents and the stored size of the block at an offset, or nil if none is intact there.
  private static func nextBlock(
    _ source: ByteSource, at offset: Int, limit: Int
  ) throws(FormatError) -> (bytes: [UInt8], size: Int)? {
    var window = windowSize
    while offset < source.count {
      let end = min(source.count, offset + window)
      let bytes = try source.read(offset..<end)
      var reach = 0
      if let block = block(bytes, limit: min(limit, blockLimit), &reach) { return block }
      // The window is too small for a block whose beginning fills it.
      guard end < source.count, window < blockLimit, reach > bytes.count / 2 else { return nil }
      window *= 16
    }
    return nil
  }

  /// The block at the beginning of some bytes, which is recognised by its checksum.
  ///
  /// - Parameter reach: Is set to the number of bytes that are like those of a block.
  private static func block(
    _ bytes: [UInt8], limit: Int, _ reach: inout Int
  ) -> (bytes: [UInt8], size: Int)? {
    if let (unpacked, end, isWhole) = Snappy.read(bytes[...], limit: limit) {
      if isWhole, bytes.indices.contains(end), bytes[end] == 1, isIntact(bytes, end) {
        return (unpacked, end)
      }
      reach = end
    }
    if bytes.starts(with: PackedStream.Format.zstd.magic) {
      var unpacked: [UInt8] = []
      let source = ByteSource(bytes)
      let end = try? PackedStream.read(source, in: 0..<bytes.count, as: .zstd, limit: limit) {
        unpacked += $0
      }
      reach = bytes.count
      guard let end, bytes.indices.contains(end), bytes[end] == 2, isIntact(bytes, end) else {
        return nil
      }
      return (unpacked, end)
    }
    return storedSize(bytes, &reach).map { (Array(bytes[..<$0]), $0) }
  }

  /// The size of an uncompressed block: records, and a list of the places at which keys are written in full, with its
  /// length.
  private static func storedSize(_ bytes: [UInt8], _ reach: inout Int) -> Int? {
    var reader = LittleCursor(bytes[...])
    while let next = bytes.littleEndian(at: reader.place, size: 4) {
      reach = max(reach, reader.place)
      if next == 0 {
        // The list begins with the place of the first record, and no record begins with four zeros.
        var (last, count) = (-1, 0)
        while let number = bytes.littleEndian(at: reader.place + 4 * count, size: 4) {
          let end = reader.place + 4 * count + 4
          if number == count, bytes.indices.contains(end), bytes[end] == 0, isIntact(bytes, end) {
            return end
          }
          guard number > last, number < reader.place || count == 0 else { return nil }
          (last, count) = (number, count + 1)
        }
        return nil
      }
      guard reader.varint() != nil, let own = reader.varint(), let size = reader.varint(),
        reader.bytes(own) != nil, reader.bytes(size) != nil
      else { return nil }
    }
    return nil
  }
}
