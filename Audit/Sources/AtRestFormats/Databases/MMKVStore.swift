import CZlib

/// Reads stores of MMKV: files of keys and values, to which each change is appended.
///
/// A file begins with the size of its contents in four bytes, which newer versions keep in a file beside it
/// (``MMKVState``), and with a number that nobody reads. Each change is a key and a value, each after its size. The last
/// change of a key is valid, and an empty value removes it. When the file is full, MMKV writes the valid changes to its
/// beginning, and what was behind them stays. Zeros fill the file.
///
/// Source: MMKV's `MMKV_IO.cpp` and `MiniPBCoder.cpp`, to version 2.4.
package enum MMKVStore {
  private static let sizeBytes = 4
  /// The size in bytes of contents with one short key and one byte.
  private static let smallestContents = 8
  /// The maximum size of a key and of a value in bytes.
  private static let limits = (key: 1 << 16, value: 64 << 20)
  /// The maximum number of keys whose last change is remembered.
  private static let keyLimit = 200_000
  /// The maximum number of places in the space behind the contents that are tried.
  private static let tryLimit = 1 << 20
  /// The smallest size of a file, and the unit of all sizes.
  package static let unit = 4096

  /// Returns true if the file begins like a store that is not encrypted.
  ///
  /// - Parameter state: The file beside it, if there is one. Without it, the contents must be beyond doubt.
  package static func isStore(_ source: ByteSource, _ state: MMKVState? = nil) -> Bool {
    start(of: source, state) != nil
  }

  /// Returns true if the contents have the checksum of the file beside the store, but are no changes.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read.
  package static func isEncrypted(
    _ source: ByteSource, _ state: MMKVState
  ) throws(FormatError) -> Bool {
    let size = try size(source, 0, state)
    guard size >= smallestContents, size <= source.count - sizeBytes,
      source.count.isMultiple(of: unit), !isStore(source, state)
    else { return false }
    var sum: uLong = 0
    for start in stride(from: sizeBytes, to: sizeBytes + size, by: 1 << 20) {
      let bytes = try source.read(start..<min(sizeBytes + size, start + 1 << 20))
      sum = bytes.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, uInt($0.count)) }
    }
    return sum == state.checksum
  }

  /// Reads the changes in the order in which they were made, and then the remains of earlier contents.
  ///
  /// - Parameter each: Is called with each change. An error that it throws ends the reading.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if this is not a store, or it cannot be read.
  package static func read(
    _ source: ByteSource, _ state: MMKVState? = nil, path: String,
    each: (MMKVRecord) throws(FormatError) -> Void
  ) throws(FormatError) -> [Skip] {
    guard let start = start(of: source, state) else {
      throw FormatError("This is not a store of MMKV.", offset: 0)
    }
    var skipped: [Skip] = []
    if start > 0 {
      skipped.append(Skip(path: path, reason: "The store is behind \(start) other bytes."))
    }
    var window = ByteWindow(source)
    let contents = try contents(of: &window, from: start, state)
    if contents.isCut { skipped.append(Skip(path: path, reason: "The store is cut off.")) }
    // Equal hashes of different keys are rare, and only mark a value as replaced.
    var last: [Int: Int] = [:]
    let range = contents.range
    func note(_ change: Change) {
      if last.count < keyLimit || last[change.keyHash] != nil {
        last[change.keyHash] = change.offset
      }
    }
    var end = range.lowerBound
    while let change = try change(&window, at: end, in: contents) {
      note(change)
      end = change.end
    }
    // What follows a damaged change is in the contents all the same.
    let isDamaged = contents.isExact && end < range.upperBound
    var found: [Change] = []
    if isDamaged {
      skipped.append(Skip(path: path, reason: "The change at byte \(end) is damaged."))
      try remains(&window, end..<range.upperBound) { change, _ throws(FormatError) in
        note(change)
        found.append(change)
      }
    }
    func give(_ change: Change, _ window: inout ByteWindow) throws(FormatError) {
      let value = try change.value.isEmpty ? nil : bytes(of: change, &window)
      try each(
        MMKVRecord(
          key: change.key, value: value,
          isReplaced: last[change.keyHash].map { $0 > change.offset } ?? false,
          offset: change.offset))
    }
    var offset = range.lowerBound
    while let change = try change(&window, at: offset, in: contents) {
      try give(change, &window)
      offset = change.end
    }
    for change in found { try give(change, &window) }
    try remains(&window, (isDamaged ? range.upperBound : end)..<source.count) {
      change, window throws(FormatError) in
      if change.value.isEmpty { return }
      try each(
        MMKVRecord(
          key: change.key, value: try bytes(of: change, &window), isReplaced: true,
          offset: change.offset))
    }
    return skipped
  }

  // MARK: Changes

  private struct Change {
    let key: String
    let keyHash: Int
    let hasTextKey: Bool
    let offset: Int
    let value: Range<Int>
    var end: Int { value.upperBound }
  }

  /// Reads the change at an offset of contents, or returns nil if the bytes there are not one.
  private static func change(
    _ window: inout ByteWindow, at offset: Int, in contents: Contents
  ) throws(FormatError) -> Change? {
    // If the end is known, so is the beginning of each change, and the key may be anything.
    try change(
      &window, at: offset, before: contents.range.upperBound, takesAnyKey: contents.isExact)
  }

  /// The number of bytes of a key that are read first, because few places are the beginning of one.
  private static let keyStart = 32

  /// Reads the change at an offset, or returns nil if the bytes there are not one.
  private static func change(
    _ window: inout ByteWindow, at offset: Int, before end: Int, takesAnyKey: Bool = false
  ) throws(FormatError) -> Change? {
    guard let size = try size(&window, at: offset, before: end),
      (1...limits.key).contains(size.value), size.value <= end - size.end
    else { return nil }
    if !takesAnyKey, size.value > keyStart {
      let start = try window.read(at: size.end, count: keyStart)
      guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    }
    let bytes = try window.read(at: size.end, count: size.value)
    let hasTextKey = StoreKey.isText(bytes)
    guard takesAnyKey || hasTextKey,
      let value = try self.size(&window, at: size.end + size.value, before: end),
      value.value <= limits.value, value.value <= end - value.end
    else { return nil }
    return Change(
      key: StoreKey.text(bytes), keyHash: bytes.hashValue, hasTextKey: hasTextKey, offset: offset,
      value: value.end..<value.end + value.value)
  }

  private static func bytes(
    of change: Change, _ window: inout ByteWindow
  ) throws(FormatError) -> [UInt8] {
    try window.read(at: change.value.lowerBound, count: change.value.count)
  }

  private static func size(
    _ window: inout ByteWindow, at offset: Int, before end: Int
  ) throws(FormatError) -> (value: Int, end: Int)? {
    guard offset < end else { return nil }
    var reader = LittleCursor(try window.read(at: offset, count: min(5, end - offset))[...])
    guard let value = reader.varint() else { return nil }
    return (value, offset + reader.place)
  }

  // MARK: Contents

  /// The offset at which a store begins in the file, or nil if the file contains no store.
  private static func start(of source: ByteSource, _ state: MMKVState?) -> Int? {
    guard source.count > sizeBytes else { return nil }
    // A file has a round size, so what is too much precedes it.
    for start in Set([0, source.count % unit]).sorted() {
      guard let size = try? size(source, start, state), size != 0 || state == nil else { continue }
      let isRound = (source.count - start) % unit == 0
      guard isRound || state != nil || size > source.count - start - sizeBytes else { continue }
      if isConvincing(source, from: start, size: size, state) { return start }
    }
    return nil
  }

  /// The size of the contents in bytes, or 0 if it is not known.
  private static func size(
    _ source: ByteSource, _ start: Int, _ state: MMKVState?
  ) throws(FormatError) -> Int {
    if let state, state.keepsSize { return state.size }
    guard start <= source.count - sizeBytes else { return 0 }
    return try source.read(start..<start + sizeBytes).littleEndian(at: 0, size: sizeBytes) ?? 0
  }

  /// The number of bits that must speak for a store, without a file beside it and with one. If not all keys are texts,
  /// the changes must lead to the end of the contents, and little else must speak for them.
  private static let evidence = (alone: 40.0, beside: 20.0, tried: 48.0, toTheEnd: 6.0)
  /// The maximum number of changes that are read to recognise a store.
  private static let changeLimit = 1 << 16

  /// Returns true if the contents are those of a store even if a million keys were tried to decrypt them.
  package static func isBeyondDoubt(_ source: ByteSource, _ state: MMKVState) -> Bool {
    isConvincing(source, from: 0, size: state.size, state, needed: evidence.tried)
  }

  /// Returns true if so many bytes of the first changes are as they must be that it is no coincidence.
  private static func isConvincing(
    _ source: ByteSource, from start: Int, size: Int, _ state: MMKVState?, needed: Double? = nil
  ) -> Bool {
    var window = ByteWindow(source)
    let isTried = needed != nil
    let needed = needed ?? (state == nil ? evidence.alone : evidence.beside)
    guard let contents = try? contents(of: &window, from: start, state) else { return false }
    // An encrypted store has a size and a file beside it, too, but its changes do not lead to its end.
    let takesAnyKey = contents.isExact && state != nil && !isTried
    var (bits, count, hasOtherKeys) = (0.0, 0, false)
    var offset = contents.range.lowerBound
    while bits < (hasOtherKeys ? evidence.alone : needed), count < changeLimit,
      let change = try? change(
        &window, at: offset, before: contents.range.upperBound, takesAnyKey: takesAnyKey)
    {
      // Any text is a chain of sizes and letters, but its values do not have sizes of their own.
      guard (try? isTyped(change, &window)) == true else { return false }
      if change.hasTextKey {
        // A letter is one of 95 of 256 bytes, and a size leads to another change or to the end.
        bits += 1.4 * Double(change.key.utf8.count) + 4
      } else {
        hasOtherKeys = true
        if (try? hasSize(change, &window)) == true { bits += 7 }
      }
      offset = change.end
      count += 1
    }
    // One of 32 encrypted contents begins with no number, so there is nothing behind it.
    guard count > 0 else { return false }
    // Behind the last change, and nowhere else, there are zeros.
    let isEnd = offset >= contents.range.upperBound
    if hasOtherKeys { return bits >= evidence.alone || isEnd && bits >= evidence.toTheEnd }
    if offset == contents.range.upperBound, contents.isExact { bits += 16 }
    return bits >= needed || state != nil && !isTried && isEnd && bits > 0
  }

  private struct Contents {
    let range: Range<Int>
    let isExact: Bool
    let isCut: Bool
  }

  /// The changes of a store: behind the size and the number that nobody reads.
  private static func contents(
    of window: inout ByteWindow, from start: Int, _ state: MMKVState?
  ) throws(FormatError) -> Contents {
    let source = window.source
    let size = try size(source, start, state)
    let first = start + sizeBytes
    let isCut = size > source.count - first
    let end = size == 0 || isCut ? source.count : first + size
    let number = try self.size(&window, at: first, before: end)
    return Contents(
      range: (number?.end ?? end)..<end, isExact: size > 0 && !isCut, isCut: isCut)
  }

  // MARK: Remains

  /// Reads the changes in a range that begins anywhere. The first one is usually not whole.
  private static func remains(
    _ window: inout ByteWindow, _ range: Range<Int>,
    _ each: (Change, inout ByteWindow) throws(FormatError) -> Void
  ) throws(FormatError) {
    var offset = range.lowerBound
    /// The places from which no changes lead to an end.
    var dead: Set<Int> = []
    while dead.count < tryLimit, let next = try nextByte(window.source, from: offset),
      next < range.upperBound
    {
      offset = max(offset, next)
      let changes = try chain(&window, offset..<range.upperBound, &dead)
      for change in changes { try each(change, &window) }
      offset = changes.last?.end ?? offset + 1
    }
  }

  /// Follows changes from a place that may be the beginning of one. Returns those up to zeros or the end of the range.
  /// If they lead to neither, it returns those whose values have sizes that fit.
  private static func chain(
    _ window: inout ByteWindow, _ range: Range<Int>, _ dead: inout Set<Int>
  ) throws(FormatError) -> [Change] {
    var changes: [Change] = []
    var offset = range.lowerBound
    while !dead.contains(offset), changes.count < tryLimit,
      let change = try change(&window, at: offset, before: range.upperBound),
      try isTyped(change, &window)
    {
      changes.append(change)
      offset = change.end
    }
    let end = try window.read(at: offset, count: min(2, range.upperBound - offset))
    if end.allSatisfy({ $0 == 0 }) { return changes }
    let tight = try tight(changes, &window)
    for change in changes[tight.count...] { dead.insert(change.offset) }
    dead.insert(offset)
    return tight
  }

  /// The first changes of a list, as far as they have a name of some length, and a value that is empty or a text.
  private static func tight(
    _ changes: [Change], _ window: inout ByteWindow
  ) throws(FormatError) -> [Change] {
    for (index, change) in changes.enumerated() {
      let rest = change.value.isEmpty ? 0 : try rest(of: change, &window)
      if rest != 0 || change.key.utf8.count < 2 { return Array(changes[..<index]) }
    }
    return changes
  }

  /// The number of bytes of a value that its own size does not count, or nil if it has none.
  private static func rest(
    of change: Change, _ window: inout ByteWindow
  ) throws(FormatError) -> Int? {
    let head = try window.read(at: change.value.lowerBound, count: min(5, change.value.count))
    var reader = LittleCursor(head[...])
    return reader.varint().map { change.value.count - reader.place - $0 }
  }

  /// The size in bytes of the time at which a value expires.
  private static let timeSize = 4
  private static let longestNumber = 10

  /// Returns true if a value is empty, a number, or bytes after their size, which all values are.
  private static func isTyped(
    _ change: Change, _ window: inout ByteWindow
  ) throws(FormatError) -> Bool {
    if change.value.count <= longestNumber + timeSize { return true }
    return try hasSize(change, &window)
  }

  /// Returns true if a value is bytes after their size.
  private static func hasSize(
    _ change: Change, _ window: inout ByteWindow
  ) throws(FormatError) -> Bool {
    if change.value.isEmpty { return false }
    let rest = try rest(of: change, &window)
    return rest == 0 || rest == timeSize
  }

  /// The offset of the next byte that is not zero, or nil if only zeros follow.
  private static func nextByte(
    _ source: ByteSource, from start: Int
  ) throws(FormatError) -> Int? {
    var offset = source.nextData(from: start)
    while offset < source.count {
      let bytes = try source.read(offset..<min(source.count, offset + unit))
      if let index = bytes.firstIndex(where: { $0 != 0 }) { return offset + index }
      offset = source.nextData(from: offset + bytes.count)
    }
    return nil
  }
}
