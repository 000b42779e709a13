import CZlib
import Synchronization

/// A gzip file that can be read at any offset. One pass over the file notes where its blocks begin.
///
/// The method is that of `zran.c` in zlib's examples: an index point is kept for every 4 MiB of
/// unpacked data, together with the 32 KiB before it that its block may refer to. The last parts
/// read are cached. Thread-safe.
package final class GzipIndex: Sendable {
  private static let spanSize = 4 << 20
  private static let windowSize = 32 << 10
  private static let chunkSize = 1 << 18
  /// Parts larger than this are not cached.
  private static let heldSize = 8 << 20
  private static let heldCount = 3
  /// A file with more members and index points than this is treated as damaged.
  private static let pointLimit = 100_000

  /// The size of the unpacked data in bytes.
  package let count: Int
  /// The error that ended the first pass early, if one did.
  package let failure: FormatError?
  private let source: ByteSource
  private let points: [Point]
  private let held = Mutex<[(point: Int, bytes: [UInt8])]>([])

  /// A point where unpacking can begin.
  private struct Point: Sendable {
    /// The offset of the next packed byte. The byte before it still has `bits` unread bits.
    let packed: Int
    let bits: Int32
    /// The offset of this point in the unpacked data.
    let offset: Int
    /// The unpacked bytes before this point, or nil at the start of a member.
    let window: [UInt8]?
  }

  /// Reads the whole file once.
  ///
  /// - Parameter limit: The number of unpacked bytes to stop at.
  /// - Throws: ``FormatError`` if nothing can be unpacked.
  package init(_ source: ByteSource, limit: Int) throws(FormatError) {
    var points = [Point(packed: 0, bits: 0, offset: 0, window: nil)]
    var total = 0
    var failure: FormatError?
    do throws(FormatError) {
      try Self.scan(source, limit: limit, &points, &total)
    } catch {
      failure = error
    }
    if total == 0, let failure { throw failure }
    self.source = source
    self.points = points
    self.failure = failure
    count = total
  }

  /// The unpacked data, as a source.
  package var contents: ByteSource {
    ByteSource(count: count) { range throws(FormatError) in try self.read(range) }
  }

  private static func scan(
    _ source: ByteSource, limit: Int, _ points: inout [Point], _ total: inout Int
  ) throws(FormatError) {
    let stream = try Stream(windowBits: MAX_WBITS + 16)
    var input: [UInt8] = []
    var used = 0
    var position = 0
    while true {
      if used == input.count, position < source.count {
        let end = position + min(chunkSize, source.count - position)
        input = try source.read(position..<end)
        (position, used) = (end, 0)
      }
      let start = used
      let (output, status) = stream.inflate(input, &used, capacity: chunkSize, flush: Z_BLOCK)
      total += output.count
      let packed = position - (input.count - used)
      guard total <= limit else {
        total = limit
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: packed)
      }
      guard points.count < pointLimit else {
        throw FormatError("The compressed data has too many parts.", offset: packed)
      }
      switch status {
      case Z_STREAM_END:
        guard packed + 2 <= source.count, try source.read(packed..<packed + 2) == [0x1F, 0x8B]
        else { return }
        stream.reset()
        points.append(Point(packed: packed, bits: 0, offset: total, window: nil))
      case Z_OK, Z_BUF_ERROR:
        if output.isEmpty, used == start, position == source.count {
          throw FormatError("The compressed data is cut off.", offset: packed)
        }
        if let bits = stream.blockEnd, total - (points.last?.offset ?? 0) >= spanSize {
          points.append(
            Point(packed: packed, bits: bits, offset: total, window: stream.window(windowSize)))
        }
      default: throw FormatError("The compressed data is damaged.", offset: packed)
      }
    }
  }

  // MARK: Reading

  private func read(_ range: Range<Int>) throws(FormatError) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var index = point(at: range.lowerBound)
    while result.count < range.count, index < points.count {
      let end = index + 1 < points.count ? points[index + 1].offset : count
      let span = points[index].offset..<end
      let wanted = range.clamped(to: span)
      if !wanted.isEmpty { result += try part(index, span, wanted) }
      index += 1
    }
    return result
  }

  /// The last point at or before an offset.
  private func point(at offset: Int) -> Int {
    var (low, high) = (0, points.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if points[middle].offset <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private func part(
    _ index: Int, _ span: Range<Int>, _ wanted: Range<Int>
  ) throws(FormatError) -> ArraySlice<UInt8> {
    guard span.count <= Self.heldSize else { return try unpacked(index, wanted)[...] }
    let known = held.withLock { held in held.first { $0.point == index }?.bytes }
    let bytes: [UInt8]
    if let known {
      bytes = known
    } else {
      bytes = try unpacked(index, span)
      held.withLock { held in
        held.insert((index, bytes), at: 0)
        if held.count > Self.heldCount { held.removeLast() }
      }
    }
    return bytes[wanted.lowerBound - span.lowerBound..<wanted.upperBound - span.lowerBound]
  }

  private func unpacked(_ index: Int, _ wanted: Range<Int>) throws(FormatError) -> [UInt8] {
    let point = points[index]
    let stream = try Stream(windowBits: point.window == nil ? MAX_WBITS + 16 : -MAX_WBITS)
    if let window = point.window {
      let before = point.bits > 0 ? try source.read(point.packed - 1..<point.packed)[0] : 0
      stream.begin(after: window, bits: point.bits, of: before)
    }
    var result: [UInt8] = []
    result.reserveCapacity(wanted.count)
    var offset = point.offset
    var position = point.packed
    var input: [UInt8] = []
    var used = 0
    while offset < wanted.upperBound {
      if used == input.count, position < source.count {
        let end = position + min(Self.chunkSize, source.count - position)
        input = try source.read(position..<end)
        (position, used) = (end, 0)
      }
      let (output, status) = stream.inflate(
        input, &used, capacity: Self.chunkSize, flush: Z_NO_FLUSH)
      let part = wanted.clamped(to: offset..<offset + output.count)
      if !part.isEmpty { result += output[part.lowerBound - offset..<part.upperBound - offset] }
      offset += output.count
      guard status == Z_OK && !output.isEmpty || offset >= wanted.upperBound else {
        throw FormatError("The compressed data changed while it was read.", offset: position)
      }
    }
    return result
  }

  /// zlib's state, which must not move in memory.
  private final class Stream {
    private let state: UnsafeMutablePointer<z_stream>

    init(windowBits: Int32) throws(FormatError) {
      state = .allocate(capacity: 1)
      state.initialize(to: z_stream())
      let size = Int32(MemoryLayout<z_stream>.size)
      guard inflateInit2_(state, windowBits, ZLIB_VERSION, size) == Z_OK else {
        state.deallocate()
        throw FormatError("zlib could not be initialised.")
      }
    }

    deinit {
      inflateEnd(state)
      state.deallocate()
    }

    func reset() { inflateReset(state) }

    /// Begins in the middle of the compressed data.
    func begin(after window: [UInt8], bits: Int32, of byte: UInt8) {
      if bits > 0 { inflatePrime(state, bits, Int32(byte >> (8 - UInt8(bits)))) }
      inflateSetDictionary(state, window, UInt32(window.count))
    }

    /// The number of unread bits in the last byte, if a block has just ended that is not the last
    /// one.
    var blockEnd: Int32? {
      let type = state.pointee.data_type
      return type & 128 != 0 && type & 64 == 0 ? type & 7 : nil
    }

    func window(_ size: Int) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: size) { room, filled in
        var length: UInt32 = 0
        inflateGetDictionary(state, room.baseAddress, &length)
        filled = Int(length)
      }
    }

    func inflate(
      _ input: [UInt8], _ used: inout Int, capacity: Int, flush: Int32
    ) -> (output: [UInt8], status: Int32) {
      var status = Z_OK
      let first = used
      let output = [UInt8](unsafeUninitializedCapacity: capacity) { room, filled in
        input.withUnsafeBufferPointer { bytes in
          state.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress.map { $0 + first })
          state.pointee.avail_in = UInt32(input.count - first)
          state.pointee.next_out = room.baseAddress
          state.pointee.avail_out = UInt32(capacity)
          status = CZlib.inflate(state, flush)
          used = input.count - Int(state.pointee.avail_in)
          filled = capacity - Int(state.pointee.avail_out)
        }
      }
      return (output, status)
    }
  }
}
