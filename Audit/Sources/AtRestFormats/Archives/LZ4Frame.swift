import CLZ4

/// Unpacks LZ4's frames, all of a file one after another.
package enum LZ4Frame {
  private static let chunkSize = 1 << 18

  /// Unpacks a file, giving each chunk as it comes; those before an error are given too.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may come out, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time; what it throws ends the reading.
  /// - Throws: ``FormatError`` if it is damaged, cut off or larger than the limit.
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    var context: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0,
      let context
    else { throw FormatError("LZ4 cannot be used.") }
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
      // Between two frames nothing more need come.
      if hint == 0, used == input.count { return }
      var taken = input.count - used
      var given = chunkSize
      input.withUnsafeBufferPointer { bytes in
        hint = LZ4F_decompress(
          context, &room, &given, bytes.baseAddress.map { $0 + used }, &taken, nil)
      }
      guard LZ4F_isError(hint) == 0 else {
        throw FormatError("What is packed is damaged.", offset: position - (input.count - used))
      }
      let output = room[..<given]
      used += taken
      total += output.count
      guard total <= limit else {
        throw FormatError("What is packed is larger than \(limit) bytes.", offset: position)
      }
      if !output.isEmpty { try each(Array(output)) }
      if output.isEmpty, taken == 0, position == source.count, hint != 0 {
        throw FormatError("What is packed is cut off.", offset: source.count)
      }
    }
  }
}
