import AtRestFormats

extension ContentVerdict {
  /// Determines the verdict from the type that a file claims to be, and from all its bytes.
  ///
  /// - Throws: ``FormatError`` if the file cannot be read to its end.
  package static func read(_ source: ByteSource) throws(FormatError) -> ContentVerdict {
    let type = try FileType.read(source)
    if type == .zip, (try? ZipArchive(source))?.isEncrypted == true { return .encrypted }
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
