import AtRestFormats

/// An open file: bytes at any offset, or one chunk after the other where it must be unpacked first.
package enum FileContents: Sendable {
  case random(ByteSource)
  /// Calls for each chunk, of any size; what the caller throws ends the reading.
  case stream(
    @Sendable (_ chunk: ([UInt8]) throws(FormatError) -> Void) throws(FormatError) -> Void)
}
