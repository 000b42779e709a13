/// Reads logs of LevelDB, which contain the changes that are not in a table yet.
package enum LevelDBLog {
  private static let blockSize = 32 << 10
  private static let headerSize = 7
  /// The maximum size of a group of changes in bytes. Larger ones are skipped.
  private static let batchLimit = 64 << 20
  /// The maximum number of keys whose last change is remembered.
  private static let keyLimit = 200_000
  /// The size in bytes of what precedes the changes of a group: its number and their count.
  private static let batchHeader = 12

  /// Returns true if the file begins with an intact record.
  package static func isLog(_ source: ByteSource) -> Bool {
    guard let head = try? source.prefix(blockSize), head.count > headerSize + batchHeader,
      let size = head.littleEndian(at: 4, size: 2), head[6] == 1 || head[6] == 2,
      size >= batchHeader, headerSize + size <= head.count
    else { return false }
    return isIntact(head, 0, size)
  }

  /// The offset of the first intact record of a log that lost its beginning. nil means that no record is intact.
  package static func firstRecord(_ source: ByteSource) -> Int? {
    guard let head = try? source.prefix(2 * blockSize) else { return nil }
    return (0..<min(blockSize, head.count)).first { place in
      guard place + headerSize + batchHeader <= head.count,
        head[place + 6] == 1 || head[place + 6] == 2,
        let size = head.littleEndian(at: place + 4, size: 2), size >= batchHeader,
        size <= min(blockSize, head.count - place) - headerSize
      else { return false }
      return isIntact(head, place, size)
    }
  }

  /// Reads the changes in the order in which they were made.
  ///
  /// - Parameters:
  ///   - start: The offset of the first record. If it is not zero, the beginning of the log is missing.
  ///   - isChecked: False to read records whose checksum is wrong.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if the file cannot be read.
  package static func read(
    _ source: ByteSource, path: String, from start: Int = 0, isChecked: Bool = true,
    each: (LevelDBRecord) -> Void
  ) throws(FormatError) -> [Skip] {
    // Equal hashes of different keys are rare, and only mark a record as replaced.
    var last: [Int: Int] = [:]
    var number = 0
    _ = try batches(source, path: path, from: start, isChecked: isChecked) { batch, _ in
      changes(batch) { key, _ in
        number += 1
        let hash = key.hashValue
        if last.count < keyLimit || last[hash] != nil { last[hash] = number }
      }
    }
    number = 0
    return try batches(source, path: path, from: start, isChecked: isChecked) { batch, offset in
      changes(batch) { key, value in
        number += 1
        each(
          LevelDBRecord(
            key: Array(key), value: value.map { Array($0) },
            isReplaced: last[key.hashValue].map { $0 > number } ?? false, offset: offset))
      }
    }
  }

  private static func isIntact(_ block: [UInt8], _ start: Int, _ size: Int) -> Bool {
    let sum = block.littleEndian(at: start, size: 4)
    return sum == Int(LevelDBRecord.checksum(block[start + 6..<start + headerSize + size]))
  }

  /// Puts together the groups of changes, each of which is a record or several.
  private static func batches(
    _ source: ByteSource, path: String, from start: Int, isChecked: Bool,
    each: ([UInt8], Int) -> Void
  ) throws(FormatError) -> [Skip] {
    var skipped: [Skip] = []
    var batch: (bytes: [UInt8], offset: Int)?
    func take(_ kind: UInt8, _ content: ArraySlice<UInt8>, _ offset: Int) {
      switch kind {
      case 1: each(Array(content), offset)
      case 2: batch = (Array(content), offset)
      case 3, 4:
        batch?.bytes += content
        if kind == 4, let whole = batch {
          each(whole.bytes, whole.offset)
          batch = nil
        } else if batch.map({ $0.bytes.count > batchLimit }) == true {
          skipped.append(
            Skip(path: path, reason: "A group of changes is larger than \(batchLimit) bytes."))
          batch = nil
        }
      default: break
      }
    }
    guard start == 0 else {
      let end = try records(source, from: start, take)
      let reason = "The beginning of the log is missing. It was read from byte \(start) to \(end)."
      return skipped + [Skip(path: path, reason: reason)]
    }
    for offset in stride(from: 0, to: source.count, by: blockSize) {
      let block = try source.read(offset..<min(source.count, offset + blockSize))
      var place = 0
      // A block ends with zeros if no header fits.
      while block.count - place >= headerSize {
        let size = block.littleEndian(at: place + 4, size: 2) ?? 0
        let kind = block[place + 6]
        // Space that is reserved and not written yet is zero.
        if kind == 0, size == 0 { break }
        guard size <= block.count - place - headerSize,
          !isChecked || isIntact(block, place, size)
        else {
          skipped.append(Skip(path: path, reason: "The block at byte \(offset) is damaged."))
          batch = nil
          break
        }
        take(kind, block[place + headerSize..<place + headerSize + size], offset + place)
        place += headerSize + size
      }
    }
    return skipped
  }

  /// Reads records one after the other, wherever blocks begin, up to the first that is damaged. Returns its offset.
  private static func records(
    _ source: ByteSource, from start: Int, _ each: (UInt8, ArraySlice<UInt8>, Int) -> Void
  ) throws(FormatError) -> Int {
    var offset = start
    var window = (start: 0, bytes: [UInt8]())
    scan: while offset < source.count {
      if offset < window.start || window.start + window.bytes.count - offset < 2 * blockSize {
        window = (offset, try source.read(offset..<min(source.count, offset + 16 * blockSize)))
      }
      // Zeros, fewer than a header has, may end a block.
      for place in offset - window.start..<offset - window.start + headerSize {
        guard place + headerSize <= window.bytes.count,
          let size = window.bytes.littleEndian(at: place + 4, size: 2),
          size <= window.bytes.count - place - headerSize
        else { break }
        let kind = window.bytes[place + 6]
        if (1...4).contains(kind), isIntact(window.bytes, place, size) {
          let content = window.bytes[place + headerSize..<place + headerSize + size]
          each(kind, content, window.start + place)
          offset = window.start + place + headerSize + size
          continue scan
        }
        guard window.bytes[place] == 0 else { break }
      }
      break
    }
    return offset
  }

  /// Reads the changes of a group until one that is damaged.
  private static func changes(
    _ batch: [UInt8], _ each: (ArraySlice<UInt8>, ArraySlice<UInt8>?) -> Void
  ) {
    var reader = LittleCursor(batch[...])
    guard reader.bytes(batchHeader) != nil else { return }
    while let kind = reader.number(1), kind <= 1, let key = reader.sizedBytes() {
      guard kind == 1 else {
        each(key, nil)
        continue
      }
      guard let value = reader.sizedBytes() else { return }
      each(key, value)
    }
  }
}
