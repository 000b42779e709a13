/// Unpacks files of gzip (RFC 1952), all members of a file one after another.
package enum Gzip {
  /// Unpacks a file, giving each chunk as it comes; those before an error are given too.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may come out, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time; what it throws ends the reading.
  /// - Throws: ``FormatError`` if it is damaged, cut off or larger than the limit, or if something that is
  ///   no padding follows.
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    let end = try Inflate.read(source, in: 0..<source.count, as: .gzip, limit: limit, each: each)
    var offset = end
    while offset < source.count {
      let next = offset + min(1 << 16, source.count - offset)
      if let odd = try source.read(offset..<next).firstIndex(where: { $0 != 0 }) {
        throw FormatError("What follows the end is not gzip.", offset: offset + odd)
      }
      offset = next
    }
  }

  /// The name that the first member has for what it holds.
  ///
  /// - Throws: ``FormatError`` if the source cannot be read.
  package static func name(_ source: ByteSource) throws(FormatError) -> String? {
    let head = try source.prefix(4096)
    guard head.count > 12, head.bigEndian(at: 0, size: 3) == 0x1F8B08, head[3] & 8 != 0 else {
      return nil
    }
    let extra = head[3] & 4 == 0 ? 0 : 2 + (head.littleEndian(at: 10, size: 2) ?? 0)
    guard 10 + extra < head.count, let name = head.zeroEndedText(in: 10 + extra..<head.count),
      !name.isEmpty
    else { return nil }
    return name
  }
}
