import CZlib

/// A box of Hive, the store of keys and values that Flutter apps use: a file to which each change is appended.
///
/// A change is a frame: its size in four bytes, the key, the value, and a checksum. A frame without a value removes the
/// key. The values of an encrypted box are encrypted one by one, and its keys are not. The checksum of such a box begins
/// with that of its key, so frames with the same beginning belong together.
///
/// Source: Hive's `binary_reader_impl.dart` and `hive_aes_cipher.dart`, to version 2.2 and those of its successor hive_ce.
package struct HiveBox: Sendable {
  /// A change of a box.
  package struct Record: Sendable {
    package let key: String
    /// The value as it is stored, or nil if the key was removed or the value is too large.
    package let value: [UInt8]?
    /// True if a later change replaces or removes the value. Its bytes stay until the box is compacted.
    package let isReplaced: Bool
    /// The offset of the frame in the file, in bytes.
    package let offset: Int
  }

  /// The beginning of all checksums. It is 0 without encryption, as a rule.
  package let seed: UInt32
  private let source: ByteSource
  /// The offset of the first frame.
  private let start: Int

  private static let smallestFrame = 8
  /// The maximum size of a value that is read, in bytes.
  private static let valueLimit = 64 << 20
  /// The number of bytes of which a checksum is made at a time.
  private static let chunkSize = 1 << 20
  /// The maximum number of keys whose last change is remembered.
  private static let keyLimit = 200_000
  /// The number of bytes in which the first frame may begin.
  private static let searchSize = 4096
  /// The maximum number of values that are named because they are too large.
  private static let skipLimit = 100
  /// The maximum number of bytes of which checksums are made to find a frame.
  private static let checkLimit = 256 << 20

  /// Recognises a box by the checksums of its first frames. Returns nil if the file is not one.
  package init?(_ source: ByteSource) {
    var window = ByteWindow(source)
    var checksLeft = 4 * Self.searchSize + min(source.count, Self.checkLimit)
    guard let head = try? source.prefix(Self.searchSize + 8) else { return nil }
    for start in 0..<max(0, head.count - 8) where checksLeft > 0 {
      // Most files are rejected here: a size, and the type of a key.
      guard head[start + 4] <= 1, head[start + 3] < 0x40,
        let frame = try? Self.frame(&window, at: start), let size = frame.wholeSize,
        start == 0 || head[start + 4] == 0 || StoreKey.isText(frame.rawKey.dropFirst(2))
      else { continue }
      guard size <= checksLeft else { continue }
      checksLeft -= size
      guard let seed = try? Self.seed(start..<start + size, &window, &checksLeft) else { continue }
      self.source = source
      self.start = start
      self.seed = seed
      return
    }
    return nil
  }

  /// Reads the changes in the order in which they were made.
  ///
  /// - Parameters:
  ///   - path: The path for the parts that could not be read.
  ///   - each: Is called with each change. An error that it throws ends the reading.
  /// - Returns: The parts that could not be read.
  /// - Throws: ``FormatError`` if the file cannot be read.
  package func read(
    path: String, each: (Record) throws(FormatError) -> Void
  ) throws(FormatError) -> [Skip] {
    // Equal hashes of different keys are rare, and only mark a value as replaced.
    var last: [Int: Int] = [:]
    _ = try frames(path: path) { frame throws(FormatError) in
      let hash = frame.rawKey.hashValue
      if last.count < Self.keyLimit || last[hash] != nil { last[hash] = frame.offset }
    }
    var skipped: [Skip] = []
    if start > 0 {
      skipped.append(Skip(path: path, reason: "The box is behind \(start) other bytes."))
    }
    var large: [Skip] = []
    let damages = try frames(path: path) { frame throws(FormatError) in
      let range = frame.value.lowerBound..<min(source.count, frame.value.upperBound)
      let isLarge = range.count > Self.valueLimit
      if isLarge, large.count < Self.skipLimit {
        let reason = "The value of “\(frame.key)”, of \(range.count) bytes, is too long to be read."
        large.append(Skip(path: path, reason: reason))
      }
      try each(
        Record(
          key: frame.key, value: range.isEmpty || isLarge ? nil : try source.read(range),
          isReplaced: last[frame.rawKey.hashValue].map { $0 > frame.offset } ?? false,
          offset: frame.offset))
    }
    return skipped + damages + large
  }

  // MARK: Frames

  private struct Frame {
    let key: String
    /// The type and the bytes of the key.
    let rawKey: ArraySlice<UInt8>
    let offset: Int
    /// The range of the value, which may go beyond the end of the file.
    let value: Range<Int>
    /// The size of the frame, or nil if it is cut off.
    let wholeSize: Int?
  }

  /// Reads the beginning of a frame, or returns nil if the bytes there are not one.
  private static func frame(
    _ window: inout ByteWindow, at offset: Int
  ) throws(FormatError) -> Frame? {
    let left = window.source.count - offset
    guard left > smallestFrame else { return nil }
    // Most places of damaged bytes are rejected here.
    let start = try window.read(at: offset, count: 5)
    guard let size = start.littleEndian(at: 0, size: 4), size > smallestFrame,
      start[4] <= 1
    else { return nil }
    let head = try window.read(at: offset, count: min(left, 4 + 2 + 255))
    let key: String
    let end: Int
    switch head[4] {
    case 0:
      guard let number = head.littleEndian(at: 5, size: 4) else { return nil }
      (key, end) = (String(number), 9)
    case 1:
      let length = Int(head[5])
      let bytes = head.dropFirst(6).prefix(length)
      guard bytes.count == length else { return nil }
      (key, end) = (StoreKey.text(bytes), 6 + length)
    default: return nil
    }
    guard end <= size - 4 else { return nil }
    return Frame(
      key: key, rawKey: head[4..<end], offset: offset, value: offset + end..<offset + size - 4,
      wholeSize: size <= left ? size : nil)
  }

  /// Calls `each` with each frame. Damaged ones are left out, and the next one is searched for.
  private func frames(
    path: String, each: (Frame) throws(FormatError) -> Void
  ) throws(FormatError) -> [Skip] {
    var skipped: [Skip] = []
    var window = ByteWindow(source)
    var offset = start
    var checksLeft = Self.checkLimit
    /// The beginning of what is damaged.
    var damaged: Int?
    /// The frame that the end of the file cuts off, unless its size is damaged and others follow.
    var cut: Frame?
    while offset < source.count, checksLeft > 0 {
      let frame = try Self.frame(&window, at: offset)
      if let frame, let size = frame.wholeSize {
        var isWhole = false
        if damaged == nil || size <= checksLeft {
          isWhole = try Self.isWhole(offset..<offset + size, seed, &window)
        }
        // A frame between damaged ones may lead to each of them again.
        if damaged != nil || !isWhole { checksLeft -= size }
        if isWhole {
          try each(frame)
          offset += size
          cut = nil
          if let start = damaged {
            skipped.append(
              Skip(path: path, reason: "Bytes \(start) to \(offset - size) of the box are damaged.")
            )
          }
          damaged = nil
          continue
        }
      } else if damaged == nil {
        cut = frame
      }
      damaged = damaged ?? offset
      offset += 1
      checksLeft -= 1
    }
    if let cut {
      try each(cut)
      return skipped + [Skip(path: path, reason: "The box is cut off.")]
    }
    if let damaged {
      skipped.append(
        Skip(path: path, reason: "The box is damaged from byte \(damaged) to its end."))
    }
    return skipped
  }

  // MARK: Checksums

  private static func checksum(_ bytes: ArraySlice<UInt8>, _ seed: UInt32) -> Int {
    bytes.withUnsafeBufferPointer {
      Int(crc32(uLong(seed), $0.baseAddress, uInt($0.count)))
    }
  }

  /// The checksum of the key of an encrypted box.
  package static func seed(ofKeyHash hash: [UInt8]) -> UInt32 { UInt32(checksum(hash[...], 0)) }

  /// Returns true if a frame has the checksum that is at its end.
  private static func isWhole(
    _ frame: Range<Int>, _ seed: UInt32, _ window: inout ByteWindow
  ) throws(FormatError) -> Bool {
    let end = frame.upperBound - 4
    var sum = uLong(seed)
    for start in stride(from: frame.lowerBound, to: end, by: chunkSize) {
      let bytes = try window.read(at: start, count: min(chunkSize, end - start))
      sum = bytes.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, uInt($0.count)) }
    }
    return try Int(sum) == window.read(at: end, count: 4).littleEndian(at: 0, size: 4)
  }

  /// Returns the beginning of the checksums if a frame is one of a box: 0, or what the next frame has too.
  private static func seed(
    _ frame: Range<Int>, _ window: inout ByteWindow, _ checksLeft: inout Int
  ) throws(FormatError) -> UInt32? {
    let first = try beginning(of: frame, &window)
    if first == 0 { return 0 }
    guard let next = try self.frame(&window, at: frame.upperBound), let size = next.wholeSize,
      size <= checksLeft
    else { return nil }
    // Many frames may lead to the same one.
    checksLeft -= size
    let range = frame.upperBound..<frame.upperBound + size
    return try beginning(of: range, &window) == first ? first : nil
  }

  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
  }
  /// The index of the entry of the table with the given highest byte.
  private static let indices: [UInt8] = {
    var indices = [UInt8](repeating: 0, count: 256)
    for (index, entry) in table.enumerated() { indices[Int(entry >> 24)] = UInt8(index) }
    return indices
  }()

  /// The value with which the checksum of a frame began, which is computed from its end.
  private static func beginning(
    of frame: Range<Int>, _ window: inout ByteWindow
  ) throws(FormatError) -> UInt32 {
    var end = frame.upperBound - 4
    let sum = try window.read(at: end, count: 4).littleEndian(at: 0, size: 4) ?? 0
    var state = ~UInt32(truncatingIfNeeded: sum)
    while end > frame.lowerBound {
      let start = max(frame.lowerBound, end - chunkSize)
      for byte in try window.read(at: start, count: end - start).reversed() {
        let index = indices[Int(state >> 24)]
        state = (state ^ table[Int(index)]) << 8 | UInt32(index ^ byte)
      }
      end = start
    }
    return ~state
  }

  /// The first values, as they are stored.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read.
  package func values(first count: Int) throws(FormatError) -> [[UInt8]] {
    var window = ByteWindow(source)
    var values: [[UInt8]] = []
    var offset = start
    while values.count < count, let frame = try Self.frame(&window, at: offset),
      let size = frame.wholeSize
    {
      offset += size
      if frame.value.isEmpty || frame.value.count > Self.valueLimit { continue }
      values.append(try window.read(at: frame.value.lowerBound, count: frame.value.count))
    }
    return values
  }
}
