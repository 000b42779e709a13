/// Reads tables of LevelDB: sorted keys and values in blocks that Snappy or zstd packs.
package enum LevelDBTable {
  private static let footerSize = 48
  /// The size in bytes of the kind of compression and the checksum, which follow each block.
  static let trailerSize = 5
  private static let magic: [UInt8] = [0x57, 0xFB, 0x80, 0x8B, 0x24, 0x75, 0x47, 0xDB]
  /// The maximum size of a block in bytes, packed or unpacked.
  static let blockLimit = 16 << 20
  /// The size in bytes of the number and the kind of a change, which follow each key.
  static let suffixSize = 8

  /// Returns true if the file ends as a table does.
  package static func isTable(_ source: ByteSource) -> Bool {
    guard source.count > footerSize else { return false }
    return (try? source.read(source.count - magic.count..<source.count)) == magic
  }

  struct Handle: Equatable {
    var offset: Int
    let size: Int

    init(offset: Int, size: Int) {
      self.offset = offset
      self.size = size
    }

    init?(_ reader: inout LittleCursor) {
      guard let offset = reader.varint(), let size = reader.varint() else { return nil }
      self.init(offset: offset, size: size)
    }

    /// Reads a value of an index.
    init?(_ value: ArraySlice<UInt8>) {
      var reader = LittleCursor(value)
      self.init(&reader)
      guard reader.left == 0 else { return nil }
    }
  }

  /// Reads the records in the order of their keys.
  ///
  /// If the end of the table is missing, its blocks are read one after the other. Other bytes may precede the table.
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
    var records = Records(limit: limit)
    guard let (list, shift) = try index(source, limit: limit, isChecked: isChecked) else {
      guard isCut(source) else {
        throw FormatError("The index of the table is damaged.", offset: source.count)
      }
      return try readBlocks(source, path: path, &records, each)
    }
    var skipped: [Skip] = []
    func skip(_ reason: String) { skipped.append(Skip(path: path, reason: reason)) }
    if shift > 0 { skip("The table is behind \(shift) other bytes.") }
    if shift < 0 { skip("The first \(-shift) bytes of the table are missing.") }
    var handles: [Handle] = []
    let places = contents(of: list) ?? []
    let isWhole = entries(of: places) { _, value in
      if var handle = Handle(value) {
        handle.offset += shift
        handles.append(handle)
      }
      return true
    }
    if !isWhole || places.isEmpty && !list.isEmpty { skip("The index of the table is damaged.") }
    for handle in handles where handle.offset + handle.size + trailerSize > 0 {
      guard let bytes = try block(source, handle, limit: blockLimit, isChecked: isChecked),
        try records.read(bytes, at: handle.offset, each)
      else {
        skip("The block at byte \(handle.offset) is damaged.")
        continue
      }
    }
    return skipped
  }

  /// The index of a table, and the number of bytes that precede the table. nil means that the data has no table.
  private static func index(
    _ source: ByteSource, limit: Int, isChecked: Bool
  ) throws(FormatError) -> (list: [UInt8], shift: Int)? {
    guard isTable(source) else { return nil }
    var footer = LittleCursor(try source.read(source.count - footerSize..<source.count)[...])
    guard Handle(&footer) != nil, var handle = Handle(&footer) else { return nil }
    // The index is directly before the footer.
    let shift = source.count - footerSize - handle.offset - handle.size - trailerSize
    handle.offset += shift
    return try block(source, handle, limit: limit, isChecked: isChecked).map { ($0, shift) }
  }

  /// Reads the records of blocks.
  struct Records {
    /// The maximum number of unpacked bytes.
    let limit: Int
    private var total = 0
    private var previous: ArraySlice<UInt8> = []

    init(limit: Int) { self.limit = limit }

    /// Reads the records of a block. Returns false if a part of it is damaged.
    ///
    /// - Throws: ``FormatError`` if the limit is reached.
    mutating func read(
      _ block: [UInt8], at offset: Int, _ each: (LevelDBRecord) -> Void
    ) throws(FormatError) -> Bool {
      total += block.count
      guard let entries = LevelDBTable.contents(of: block) else { return false }
      return try read(entries: entries, at: offset, each)
    }

    /// Reads records until one that is damaged.
    mutating func read(
      entries: ArraySlice<UInt8>, at offset: Int, _ each: (LevelDBRecord) -> Void
    ) throws(FormatError) -> Bool {
      var isInLimit = total <= limit
      let isWhole =
        isInLimit
        && LevelDBTable.entries(of: entries) { key, value in
          // Few bytes can repeat a long key.
          total += key.count
          isInLimit = total <= limit
          guard isInLimit else { return false }
          guard key.count >= suffixSize else { return true }
          // The newest of several records of a key comes first.
          let user = key.dropLast(suffixSize)
          let kind = key[key.endIndex - suffixSize]
          each(
            LevelDBRecord(
              key: Array(user), value: kind == 0 ? nil : Array(value),
              isReplaced: user.elementsEqual(previous), offset: offset))
          previous = user
          return true
        }
      guard isInLimit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: offset)
      }
      return isWhole
    }
  }

  /// Reads and unpacks a block, or returns nil if it is damaged.
  private static func block(
    _ source: ByteSource, _ handle: Handle, limit: Int, isChecked: Bool
  ) throws(FormatError) -> [UInt8]? {
    guard handle.size <= blockLimit, (0..<source.count).contains(handle.offset),
      handle.size + trailerSize <= source.count - handle.offset
    else { return nil }
    let bytes = try source.read(handle.offset..<handle.offset + handle.size + trailerSize)
    let content = bytes[..<handle.size]
    guard !isChecked || isIntact(bytes, handle.size) else { return nil }
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

  /// Returns true if the checksum behind a block of a size is right.
  static func isIntact(_ bytes: [UInt8], _ size: Int) -> Bool {
    guard size < bytes.count else { return false }
    return bytes.littleEndian(at: size + 1, size: 4) == Int(LevelDBRecord.checksum(bytes[...size]))
  }

  /// The entries of a block, without the list of places at its end. Nil if the list is damaged.
  static func contents(of block: [UInt8]) -> ArraySlice<UInt8>? {
    guard let restarts = block.littleEndian(at: block.count - 4, size: 4),
      restarts <= (block.count - 4) / 4
    else { return nil }
    return block[..<(block.count - 4 - 4 * restarts)]
  }

  /// Reads entries, whose keys share their first bytes with the key before, until `each` returns
  /// false.
  ///
  /// - Returns: False if the entries are damaged or were not read to their end.
  static func entries(
    of block: ArraySlice<UInt8>, _ each: (ArraySlice<UInt8>, ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    var reader = LittleCursor(block)
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
