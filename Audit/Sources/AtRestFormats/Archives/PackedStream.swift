/// Unpacks the formats of compression that a library outside zlib and LZ4 reads.
///
/// On Apple's platforms zstd is not read, because the system has no library for it.
package enum PackedStream {
  package enum Format: String, CaseIterable, Sendable {
    case bzip2, xz
    /// The format of LZMA before xz, also called LZMA alone.
    case lzma
    case zstd, brotli

    /// The first bytes of a stream, or none if the format has no fixed ones.
    var magic: [UInt8] {
      switch self {
      case .bzip2: Array("BZh".utf8)
      case .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]
      case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
      case .lzma, .brotli: []
      }
    }
  }

  static let chunkSize = 1 << 18
  /// The maximum amount of memory that a decoder may take, in bytes.
  static let memoryLimit = 128 << 20
  /// The maximum number of streams in a file. Streams may be empty.
  private static let streamLimit = 1_000_000

  /// Unpacks a range chunk by chunk. Chunks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time. An error that it throws stops the reading.
  /// - Returns: The offset in the source at which the packed bytes end.
  /// - Throws: ``FormatError`` if the bytes are damaged, cut off or larger than the limit, or if
  ///   the format cannot be read on this platform.
  @discardableResult
  package static func read(
    _ source: ByteSource, in range: Range<Int>, as format: Format, limit: Int,
    each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) -> Int {
    try read(source, in: range, limit: limit, each: each) { previous, place throws(FormatError) in
      if previous != nil, try !begins(format, source, at: place, in: range) { return nil }
      return try decoder(format)
    }
  }

  /// Unpacks streams that follow each other.
  ///
  /// - Parameter next: Returns what unpacks the stream at an offset, or nil at the end of the streams. Its first argument
  ///   is what unpacked the stream before, or nil for the first stream, which it must accept.
  /// - Returns: The offset in the source at which the packed bytes end.
  @discardableResult
  static func read(
    _ source: ByteSource, in range: Range<Int>, limit: Int,
    each: ([UInt8]) throws(FormatError) -> Void,
    next: ((any StreamDecoder)?, Int) throws(FormatError) -> (any StreamDecoder)?
  ) throws(FormatError) -> Int {
    var position = range.lowerBound
    guard var decoder = try next(nil, position) else { return position }
    var total = 0
    var input: [UInt8] = []
    var used = 0
    var streams = 1
    while true {
      if used == input.count, position < range.upperBound {
        let end = position + min(chunkSize, range.upperBound - position)
        input = try source.read(position..<end)
        position = end
        used = 0
      }
      let start = used
      let (output, status) = decoder.decode(
        input, from: &used, isLast: position == range.upperBound)
      total += output.count
      guard total <= limit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: position)
      }
      if !output.isEmpty { try each(output) }
      let place = position - (input.count - used)
      switch status {
      case .end:
        guard let following = try next(decoder, place) else { return place }
        decoder = following
        streams += 1
        guard streams <= streamLimit else {
          throw FormatError("The file has more than \(streamLimit) streams.", offset: place)
        }
      case .more:
        if output.isEmpty, used == start, position == range.upperBound {
          throw FormatError("The compressed data is cut off.", offset: place)
        }
      case .damaged: throw FormatError("The compressed data is damaged.", offset: place)
      }
    }
  }

  /// Returns true if another stream follows.
  private static func begins(
    _ format: Format, _ source: ByteSource, at offset: Int, in range: Range<Int>
  ) throws(FormatError) -> Bool {
    let magic = format.magic
    guard !magic.isEmpty, range.upperBound - offset > magic.count else { return false }
    return try source.read(offset..<offset + magic.count) == magic
  }
}

/// The state of a library while it unpacks one stream. Not thread-safe.
protocol StreamDecoder: AnyObject {
  /// Unpacks input from an offset on, which is moved behind the bytes that were used.
  ///
  /// - Parameter isLast: True if no input follows.
  /// - Returns: At most 256 KiB.
  func decode(
    _ input: [UInt8], from used: inout Int, isLast: Bool
  ) -> (output: [UInt8], status: StreamStatus)
}

enum StreamStatus {
  case more, end, damaged
}
