/// Recognises compressed bytes that have no magic number, by unpacking them: raw deflate, as
/// Foundation's `compressed(using: .zlib)` writes it, zlib, and brotli.
package enum HeadlessStream {
  /// The minimum size of packed bytes. Fewer may be complete by chance.
  private static let shortest = 6

  /// Unpacks bytes if all of them are one stream, and its contents are text or a known format.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes. A longer stream is not recognised.
  /// - Returns: The format, `deflate`, `zlib` or `brotli`, and the contents.
  package static func unpack(
    _ bytes: ArraySlice<UInt8>, limit: Int
  ) -> (format: String, contents: [UInt8])? {
    guard bytes.count >= shortest else { return nil }
    let source = ByteSource(Array(bytes))
    if mayBeDeflated(bytes) {
      let contents = contents(source, limit: limit) { each throws(FormatError) in
        try Inflate.read(source, in: 0..<source.count, as: .raw, limit: limit, each: each)
      }
      if let contents { return ("deflate", contents) }
    }
    if isZlib(bytes) {
      let contents = contents(source, limit: limit) { each throws(FormatError) in
        try Inflate.read(source, in: 0..<source.count, as: .zlib, limit: limit, each: each)
      }
      if let contents { return ("zlib", contents) }
    }
    let contents = contents(source, limit: limit) { each throws(FormatError) in
      try PackedStream.read(source, in: 0..<source.count, as: .brotli, limit: limit, each: each)
    }
    return contents.map { ("brotli", $0) }
  }

  /// Returns true for the two bytes that precede deflate in zlib (RFC 1950).
  private static func isZlib(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return head >> 8 & 15 == 8 && head >> 12 <= 7 && head % 31 == 0 && head & 0x20 == 0
  }

  /// Rules out most bytes by the head of the first block: its type, and its length or the sizes of
  /// its codes (RFC 1951, 3.2).
  private static func mayBeDeflated(_ bytes: ArraySlice<UInt8>) -> Bool {
    let head = Array(bytes.prefix(5))
    switch head[0] >> 1 & 3 {
    case 0: return head[1] ^ head[3] == 0xFF && head[2] ^ head[4] == 0xFF
    case 1: return true
    case 2: return head[0] >> 3 <= 29 && head[1] & 31 <= 29
    default: return false
    }
  }

  private static func contents(
    _ source: ByteSource, limit: Int,
    _ read: ((([UInt8]) throws(FormatError) -> Void)) throws(FormatError) -> Int
  ) -> [UInt8]? {
    var contents: [UInt8] = []
    let end = try? read { chunk throws(FormatError) in
      if contents.isEmpty, !isMeaningful(chunk, isWhole: false) {
        throw FormatError("The contents have no known format.")
      }
      contents += chunk
    }
    guard end == source.count, contents.count >= 4,
      isMeaningful(contents, isWhole: contents.count <= FileType.headLength)
    else { return nil }
    return contents
  }

  private static func isMeaningful(_ contents: [UInt8], isWhole: Bool) -> Bool {
    let type = FileType.read(Array(contents.prefix(FileType.headLength)), isWhole: isWhole)
    return type != .unknown && type != .empty
  }
}
