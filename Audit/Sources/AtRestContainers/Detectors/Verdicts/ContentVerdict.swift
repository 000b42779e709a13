import AtRestFormats

/// Whether what a file holds can be read by whoever has it.
package enum ContentVerdict: String, Codable, Sendable {
  case plaintext
  /// Base64 or hexadecimal throughout.
  case encoded
  /// As even as chance, and of no format that packs: only encryption looks so.
  case encrypted
  /// Packed, or media that are packed: told by its first bytes.
  case packed
  /// Too small or too mixed to tell.
  case unknown

  /// Tells by what type a file claims to be, and by all its bytes.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read to its end.
  package static func read(_ source: ByteSource) throws(FormatError) -> ContentVerdict {
    let type = try FileType.read(source)
    var meter = ContentMeter()
    var offset = 0
    while offset < source.count {
      let end = min(offset + 1 << 20, source.count)
      meter.add(try source.read(offset..<end))
      offset = end
    }
    return meter.verdict(type)
  }
}
