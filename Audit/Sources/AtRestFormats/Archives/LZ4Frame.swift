import CLZ4

/// Unpacks LZ4 frames, including all frames of a file.
package enum LZ4Frame {
  private static let chunkSize = 1 << 18

  /// Unpacks a file chunk by chunk. Chunks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time. An error that it throws stops the reading.
  /// - Throws: ``FormatError`` if the file is damaged, cut off or larger than the limit.
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    var context: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0,
      let context
    else { throw FormatError("LZ4 could not be initialised.") }
    defer { LZ4F_freeDecompressionContext(context) }
    var position = 0
    var total = 0
    var input: [UInt8] = []
    var used = 0
    var hint = 1
    var room = [UInt8](repeating: 0, count: chunkSize)
    while true {
      if used == input.count, position < source.count {
        let end = position + min(chunkSize, source.count - position)
        input = try source.read(position..<end)
        position = end
        used = 0
      }
      // The source may end between two frames.
      if hint == 0, used == input.count { return }
      var taken = input.count - used
      var given = chunkSize
      input.withUnsafeBufferPointer { bytes in
        hint = LZ4F_decompress(
          context, &room, &given, bytes.baseAddress.map { $0 + used }, &taken, nil)
      }
      guard LZ4F_isError(hint) == 0 else {
        throw FormatError(
          "The compressed data is damaged.", offset: position - (input.count - used))
      }
      let output = room[..<given]
      used += taken
      total += output.count
      guard total <= limit else {
        throw FormatError("The unpacked data is larger than \(limit) bytes.", offset: position)
      }
      if !output.isEmpty { try each(Array(output)) }
      if output.isEmpty, taken == 0, position == source.count, hint != 0 {
        throw FormatError("The compressed data is cut off.", offset: source.count)
      }
    }
  }
}
