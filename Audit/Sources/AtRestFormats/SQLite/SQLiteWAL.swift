/// A write-ahead log: pages that are newer than the database, in the order in which they were
/// written.
///
/// As in SQLite, only the frames up to the last commit whose salts and running checksums are right
/// belong to the database. The other frames can still be searched.
package struct SQLiteWAL: Sendable {
  static let headerSize = 32
  static let frameHeaderSize = 24

  let source: ByteSource
  let pageSize: Int
  /// The offset of the first frame.
  private let start: Int
  /// The number of complete frames, whether they belong to the database or not.
  let frameCount: Int
  /// The salts that distinguish this generation of frames from the ones that it overwrites.
  let salts: [UInt8]
  /// The number of frames, from the first, that are committed.
  let committedCount: Int
  /// The number of frames, from the first, with the right checksums.
  let validCount: Int
  /// The frame, from 0, that holds the newest committed state of a page.
  let newest: [UInt32: UInt32]
  /// The number of pages of the database after the last commit.
  let pageCount: Int?

  /// Reads the header of each frame and checks its checksum.
  ///
  /// - Parameter expected: The page size of the database, if it is known.
  /// - Returns: Nil if nothing was ever written, or the page size cannot be determined.
  init?(_ source: ByteSource, expected: Int?, skips: inout SQLiteSkips) throws(FormatError) {
    guard source.count > Self.headerSize else { return nil }
    self.source = source
    let header = try source.read(0..<Self.headerSize)
    let magic = header.bigEndian32(at: 0)
    let isBigEndian = magic == 0x377F_0683
    let written = SQLiteHeader.pageSize(header.bigEndian32(at: 8))
    var sum = Checksum(isBigEndian: isBigEndian)
    sum.add(header, 0..<24)
    let isIntact =
      (isBigEndian || magic == 0x377F_0682) && written != nil && sum.isWritten(in: header, at: 24)
      && (expected == nil || expected == written)
    if !isIntact {
      skips.add("The header of the WAL is damaged: its pages are treated as older states.")
    }
    guard let pageSize = isIntact ? written : expected ?? written else { return nil }
    self.pageSize = pageSize
    salts = isIntact ? Array(header[16..<24]) : []
    let stride = Self.frameHeaderSize + pageSize
    start = isIntact ? Self.headerSize : try Self.firstFrame(source, stride) ?? Self.headerSize
    frameCount = min(max(0, source.count - start) / stride, Int(UInt32.max))

    var newest: [UInt32: UInt32] = [:]
    var pending: [(page: UInt32, frame: UInt32)] = []
    var committedCount = 0
    var validCount = 0
    var pageCount: Int?
    let perWindow = max(1, 1 << 18 / stride)
    scan: while isIntact, validCount < frameCount {
      let some = min(perWindow, frameCount - validCount)
      let start = Self.headerSize + validCount * stride
      let window = try source.read(start..<start + some * stride)
      for frame in 0..<some {
        let offset = frame * stride
        sum.add(window, offset..<offset + 8)
        sum.add(window, offset + Self.frameHeaderSize..<offset + stride)
        let page = UInt32(window.bigEndian32(at: offset))
        guard page > 0, window[offset + 8..<offset + 16].elementsEqual(salts) else { break scan }
        guard sum.isWritten(in: window, at: offset + 16) else {
          try Self.report(source, from: validCount, salts, pageSize, &skips)
          break scan
        }
        pending.append((page, UInt32(validCount)))
        validCount += 1
        let size = window.bigEndian32(at: offset + 4)
        guard size > 0 else { continue }
        for entry in pending { newest[entry.page] = entry.frame }
        pending.removeAll(keepingCapacity: true)
        committedCount = validCount
        pageCount = size
      }
    }
    self.newest = newest
    self.committedCount = committedCount
    self.validCount = validCount
    self.pageCount = pageCount
  }

  /// Reports a frame with a wrong checksum as damage if a later frame commits a transaction. A transaction that is not
  /// committed yet may leave frames without checksums.
  private static func report(
    _ source: ByteSource, from first: Int, _ salts: [UInt8], _ pageSize: Int,
    _ skips: inout SQLiteSkips
  ) throws(FormatError) {
    let stride = frameHeaderSize + pageSize
    var offset = headerSize + first * stride
    while offset + stride <= source.count {
      let header = try source.read(offset..<offset + frameHeaderSize)
      if header.bigEndian32(at: 4) > 0, header[8..<16].elementsEqual(salts) {
        return skips.add(
          "The WAL is damaged at frame \(first + 1): the rest is treated as older states.")
      }
      offset += stride
    }
  }

  /// The offset of a frame's header.
  func offset(ofFrame frame: Int) -> Int {
    start + frame * (Self.frameHeaderSize + pageSize)
  }

  /// The offset of the first frame of a log that lost its beginning, or nil if it is unknown. Two frames that follow each
  /// other have the same salts.
  private static func firstFrame(
    _ source: ByteSource, _ stride: Int
  ) throws(FormatError) -> Int? {
    let bytes = try source.prefix(2 * stride + frameHeaderSize)
    return (0..<stride).first { offset in
      let next = offset + stride
      guard next + frameHeaderSize <= bytes.count else { return false }
      let salts = bytes[offset + 8..<offset + 16]
      return salts == bytes[next + 8..<next + 16] && salts.contains { $0 != 0 }
        && [offset, next].allSatisfy { (1..<1 << 24).contains(bytes.bigEndian32(at: $0)) }
    }
  }

  /// The checksum over pairs of words that runs through the whole log.
  struct Checksum {
    let isBigEndian: Bool
    private var first: UInt32 = 0
    private var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// Adds bytes. Their number must be a multiple of eight.
    mutating func add(_ bytes: [UInt8], _ range: Range<Int>) {
      var first = first
      var second = second
      bytes.withUnsafeBytes { buffer in
        let slice = UnsafeRawBufferPointer(rebasing: buffer[range])
        for offset in stride(from: 0, to: slice.count - 7, by: 8) {
          let one = slice.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let two = slice.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
        }
      }
      self.first = first
      self.second = second
    }

    func isWritten(in bytes: [UInt8], at offset: Int) -> Bool {
      bytes.bigEndian32(at: offset) == Int(first)
        && bytes.bigEndian32(at: offset + 4) == Int(second)
    }

    func write(to bytes: inout [UInt8], at offset: Int) {
      for (index, word) in [first, second].enumerated() {
        withUnsafeBytes(of: word.bigEndian) {
          bytes.replaceSubrange(offset + 4 * index..<offset + 4 * index + 4, with: $0)
        }
      }
    }
  }
}
