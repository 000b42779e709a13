import AtRestFormats

/// The contents of an open file: bytes at any offset, or chunks in order if they have to be
/// unpacked.
package enum FileContents: Sendable {
  case random(ByteSource)
  /// Calls its argument with each chunk, of any size. An error that the argument throws stops the
  /// reading.
  case stream(
    @Sendable (_ chunk: ([UInt8]) throws(FormatError) -> Void) throws(FormatError) -> Void)
}

extension FileContents {
  /// Returns the contents as bytes at any offset. What has to be unpacked is held in memory.
  ///
  /// - Parameter limit: The maximum number of unpacked bytes.
  /// - Throws: ``FormatError`` if there are more, or the contents cannot be read.
  func source(limit: Int) throws(FormatError) -> (source: ByteSource, unpacked: Int) {
    switch self {
    case .random(let source): return (source, 0)
    case .stream(let read):
      var bytes: [UInt8] = []
      try read { chunk throws(FormatError) in
        guard bytes.count + chunk.count <= limit else {
          throw FormatError("The file is larger than \(limit) bytes.")
        }
        bytes += chunk
      }
      return (ByteSource(bytes), bytes.count)
    }
  }
}
