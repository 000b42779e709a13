import CZlib

/// Unpacks deflated bytes chunk by chunk: raw, or in the zlib or gzip format.
package enum Inflate {
  package enum Wrapper: String, Sendable {
    /// RFC 1951.
    case raw
    /// RFC 1950.
    case zlib
    /// RFC 1952, with any number of members.
    case gzip

    fileprivate var windowBits: Int32 {
      switch self {
      case .raw: -MAX_WBITS
      case .zlib: MAX_WBITS
      case .gzip: MAX_WBITS + 16
      }
    }
  }

  /// Unpacks a range chunk by chunk. Chunks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time. An error that it throws stops the reading.
  /// - Returns: The offset in the source at which the packed bytes end.
  /// - Throws: ``FormatError`` if the bytes are damaged, cut off or larger than the limit.
  @discardableResult
  package static func read(
    _ source: ByteSource, in range: Range<Int>, as wrapper: Wrapper, limit: Int,
    each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) -> Int {
    try PackedStream.read(source, in: range, limit: limit, each: each) {
      previous, place throws(FormatError) in
      guard let stream = previous as? Stream else { return try Stream(wrapper) }
      guard wrapper == .gzip, try hasMember(source, at: place, in: range) else { return nil }
      stream.reset()
      return stream
    }
  }

  /// Unpacks a few bytes in one call.
  ///
  /// - Throws: ``FormatError`` as ``read(_:in:as:limit:each:)`` does.
  package static func bytes(
    of packed: [UInt8], as wrapper: Wrapper, limit: Int
  ) throws(FormatError) -> [UInt8] {
    var result: [UInt8] = []
    try read(ByteSource(packed), in: 0..<packed.count, as: wrapper, limit: limit) {
      result += $0
    }
    return result
  }

  private static func hasMember(
    _ source: ByteSource, at offset: Int, in range: Range<Int>
  ) throws(FormatError) -> Bool {
    guard range.upperBound - offset >= 2 else { return false }
    return try source.read(offset..<offset + 2) == [0x1F, 0x8B]
  }

  /// zlib's state, which must not move in memory.
  private final class Stream: StreamDecoder {
    private let state: UnsafeMutablePointer<z_stream>
    // Not filled with zeros, which would take longer than to unpack a small value.
    private var room = [UInt8](unsafeUninitializedCapacity: PackedStream.chunkSize) { _, count in
      count = PackedStream.chunkSize
    }

    init(_ wrapper: Wrapper) throws(FormatError) {
      state = .allocate(capacity: 1)
      state.initialize(to: z_stream())
      let size = Int32(MemoryLayout<z_stream>.size)
      guard inflateInit2_(state, wrapper.windowBits, ZLIB_VERSION, size) == Z_OK else {
        state.deallocate()
        throw FormatError("zlib could not be initialised.")
      }
    }

    deinit {
      inflateEnd(state)
      state.deallocate()
    }

    func reset() { inflateReset(state) }

    func decode(
      _ input: [UInt8], from used: inout Int, isLast: Bool
    ) -> (output: [UInt8], status: StreamStatus) {
      let first = used
      let status = input.withUnsafeBufferPointer { bytes in
        room.withUnsafeMutableBufferPointer { room in
          state.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress.map { $0 + first })
          state.pointee.avail_in = UInt32(bytes.count - first)
          state.pointee.next_out = room.baseAddress
          state.pointee.avail_out = UInt32(room.count)
          return inflate(state, Z_NO_FLUSH)
        }
      }
      used = input.count - Int(state.pointee.avail_in)
      let output = Array(room[..<(room.count - Int(state.pointee.avail_out))])
      switch status {
      case Z_STREAM_END: return (output, .end)
      case Z_OK, Z_BUF_ERROR: return (output, .more)
      default: return (output, .damaged)
      }
    }
  }
}
