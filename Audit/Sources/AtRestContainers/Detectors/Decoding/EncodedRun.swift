/// A part of some bytes that is written in an encoding, and what it decodes to.
///
/// What looks encoded need not be: a long word is base64 too. So these are candidates, to be searched
/// again, not findings.
package struct EncodedRun: Sendable {
  /// Bytes from the start of what was searched.
  package let range: Range<Int>
  /// `base64`, `base64url`, `hex`, `percent`, `escapes`, `entities`, `quoted-printable`, `gzip`, `zlib`,
  /// `lz4`.
  package let encoding: String
  package let bytes: [UInt8]

  /// The encoded parts of some bytes, one level deep, in time that grows with the bytes alone.
  ///
  /// - Parameters:
  ///   - text: Text or binary data.
  ///   - limit: The most bytes that may come out of packed parts, damaged ones included.
  /// - Returns: The runs in no order; they may overlap. `isComplete` is false if the limit was met.
  package static func candidates(
    in text: UnsafeRawBufferPointer, limit: Int = 64 << 20
  ) -> (runs: [EncodedRun], isComplete: Bool) {
    text.withMemoryRebound(to: UInt8.self) { text in
      var packed = PackedRuns(text, limit: limit)
      packed.search()
      return (
        AlphabetRuns(text).search() + EscapedRuns(text).search() + packed.runs, packed.isComplete
      )
    }
  }

  package static func candidates(
    in bytes: [UInt8], limit: Int = 64 << 20
  ) -> (runs: [EncodedRun], isComplete: Bool) {
    bytes.withUnsafeBytes { candidates(in: $0, limit: limit) }
  }
}
