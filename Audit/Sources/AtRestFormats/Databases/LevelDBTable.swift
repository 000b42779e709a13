/// Reads tables of LevelDB: sorted keys and values in blocks that Snappy or zstd packs.
package enum LevelDBTable {
  private static let footerSize = 48
  private static let magic: [UInt8] = [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
  /// The maximum size of a block in bytes, packed or unpacked.
  private static let blockLimit = 16 << 20
  /// The size in bytes of the number and the kind of a change, which follow each key.
  private static let suffixSize = 8

  /// Returns true if the file ends as a table does.
  package static func isTable(_ source: ByteSource) -> Bool {
    guard source.count > footerSize else { return false }
    return (try? source.read(source.count - magic.count..<source.count)) == magic
  }

  private struct Handle {
    let offset: Int
    let size: Int

    init?(_ reader: inout LittleCursor) {
      guard let offset = reader.varint(), let size = reader.varint() else { return nil }
      self.offset = offset
      self.size = size
    }
  }

  /// Reads the records in the order of their keys.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes.
  ///   - isChecked: False to read blocks whose checksum is wrong.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if this is not a table, its index is damaged, or the limit is reached.
  package static func read(
    _ source: ByteSource, limit: Int, path: String, isChecked: Bool = true,
    each: (LevelDBRecord) -> Void
  ) throws(FormatError) -> [Skip] {
    guard isTable(source) else {
      throw FormatError("This is not a table of LevelDB.", offset: source.count)
    }
    var footer = LittleCursor(try source.read(source.count - footerSize..<source.count)[...])
    guard Handle(&footer) != nil, let index = Handle(&footer),
      let list = try block(source, index, limit: limit, isChecked: isChecked)
    else { throw FormatError("The index of the table is damaged.", offset: source.count) }
    var skipped: [Skip] = []
    var total = 0
    var previous: ArraySlice<UInt8> = []
    var handles: [Handle] = []
    let isWhole = entries(list) { _, value in
      var reader = LittleCursor(value)
      if let handle = Handle(&reader) { handles.append(handle) }
      return true
    }
    if !isWhole { skipped.append(Skip(path: path, reason: "The index of the table is damaged.")) }
    for handle in handles {
      guard let bytes = try block(source, handle, limit: blockLimit, isChecked: isChecked) else {
        skipped.append(Skip(path: path, reason: "The block at byte \(handle.offset) is damaged."))
        continue
      }
      total += bytes.count
      guard total <= limit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: handle.offset)
      }
      let isWhole = entries(bytes) { key, value in
        // Few bytes can repeat a long key.
        total += key.count
        guard total <= limit else { return false }
        guard key.count >= suffixSize else { return true }
        // The newest of several records of a key comes first.
        let user = key.dropLast(suffixSize)
        let kind = key[key.endIndex - suffixSize]
        each(
          LevelDBRecord(
            key: Array(user), value: kind == 0 ? nil : Array(value),
            isReplaced: user.elementsEqual(previous), offset: handle.offset))
        previous = user
        return true
      }
      if !isWhole, total <= limit {
        skipped.append(Skip(path: path, reason: "The block at byte \(handle.offset) is damaged."))
      }
    }
    guard total <= limit else {
      throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: source.count)
    }
    return skipped
  }

  /// Reads and unpacks a block, or returns nil if it is damaged.
  private static func block(
    _ source: ByteSource, _ handle: Handle, limit: Int, isChecked: Bool
  ) throws(FormatError) -> [UInt8]? {
    guard handle.size <= blockLimit, handle.offset < source.count,
      handle.size + 5 <= source.count - handle.offset
    else { return nil }
    // The kind of compression and a checksum follow the block.
    let bytes = try source.read(handle.offset..<handle.offset + handle.size + 5)
    let content = bytes[..<handle.size]
    let sum = LevelDBRecord.checksum(bytes[...handle.size])
    guard !isChecked || bytes.littleEndian(at: handle.size + 1, size: 4) == Int(sum) else {
      return nil
    }
    let room = min(limit, blockLimit)
    switch bytes[handle.size] {
    case 0: return Array(content)
    case 1: return Snappy.unpack(content, limit: room)
    case 2:
      var unpacked: [UInt8] = []
      let packed = ByteSource(Array(content))
      let end = try? PackedStream.read(
        packed, in: 0..<packed.count, as: .zstd, limit: room
      ) { unpacked += $0 }
      return end == nil ? nil : unpacked
    default: return nil
    }
  }

  /// Reads the entries of a block, whose keys share their first bytes with the key before, until
  /// `each` returns false.
  ///
  /// - Returns: False if the entries are damaged or were not read to their end.
  private static func entries(
    _ block: [UInt8], _ each: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    guard let restarts = block.littleEndian(at: block.count - 4, size: 4),
      restarts <= (block.count - 4) / 4
    else { return false }
    var reader = LittleCursor(block[..<(block.count - 4 - 4 * restarts)])
    var key: [UInt8] = []
    while reader.left > 0 {
      guard let shared = reader.varint(), let own = reader.varint(), let size = reader.varint(),
        shared <= key.count, let rest = reader.bytes(own), let value = reader.bytes(size)
      else { return false }
      key.removeLast(key.count - shared)
      key += rest
      guard each(key[...], value) else { return false }
    }
    return true
  }
}
