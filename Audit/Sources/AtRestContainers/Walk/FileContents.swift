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
