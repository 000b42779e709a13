/// Unpacks gzip files (RFC 1952), including all members of a file.
package enum Gzip {
  /// Unpacks a file chunk by chunk. Chunks before an error are delivered too.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unpacked bytes, whatever the file claims.
  ///   - each: Called with at most 256 KiB at a time. An error that it throws stops the reading.
  /// - Throws: ``FormatError`` if the file is damaged, cut off or larger than the limit, or if
  ///   anything but padding follows its last member.
  package static func read(
    _ source: ByteSource, limit: Int, each: ([UInt8]) throws(FormatError) -> Void
  ) throws(FormatError) {
    let end = try Inflate.read(source, in: 0..<source.count, as: .gzip, limit: limit, each: each)
    var offset = end
    while offset < source.count {
      let next = offset + min(1 << 16, source.count - offset)
      if let odd = try source.read(offset..<next).firstIndex(where: { $0 != 0 }) {
        throw FormatError("The bytes after the end are not gzip.", offset: offset + odd)
      }
      offset = next
    }
  }

  /// The file name that is stored in the first member, if there is one.
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
