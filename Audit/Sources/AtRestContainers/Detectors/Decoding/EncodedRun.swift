@_spi(Tools) import AtRestSecrets

/// A part of some bytes that is encoded, and the bytes that it decodes to.
///
/// Runs are candidates that have to be searched, not findings: a long word, for example, is also
/// valid Base64.
package struct EncodedRun: Sendable {
  /// The range in the searched bytes.
  package let range: Range<Int>
  /// The encoding: `base64`, `base64url`, `hex`, `percent`, `escapes`, `entities`,
  /// `quoted-printable`, `integers`, `markup`, `hex dump`, `folded`, or a format of compression.
  package let encoding: String
  package let bytes: [UInt8]

  /// The minimum number of bytes in a list of numbers. Shorter lists are numbers by chance.
  private static let shortestList = 4

  /// Finds the encoded parts of some bytes, one level deep, in time that depends only on the number
  /// of bytes.
  ///
  /// - Parameters:
  ///   - text: Text or binary data.
  ///   - limit: The maximum number of bytes to unpack from compressed parts, including damaged
  ///     ones.
  /// - Returns: The runs, in no particular order. Runs may overlap. `isComplete` is false if the
  ///   limit was reached.
  package static func candidates(
    in text: UnsafeRawBufferPointer, limit: Int = 64 << 20
  ) -> (runs: [EncodedRun], isComplete: Bool) {
    text.withMemoryRebound(to: UInt8.self) { text in
      var packed = PackedRuns(text, limit: limit)
      packed.search()
      var runs = packed.runs
      addLayouts(in: text, to: &runs)
      AlphabetRuns(text).search(&runs)
      EscapedRuns(text).search(&runs)
      ByteRun.forEachList(in: text, of: shortestList, isStrict: true) { bytes, places in
        let range = places[0].lowerBound..<places[places.count - 1].upperBound
        runs.append(EncodedRun(range: range, encoding: "integers", bytes: bytes))
      }
      return (runs, packed.isComplete)
    }
  }

  /// Finds the parts that are laid out so that text in them is interrupted. They are found in one
  /// fast pass, in bytes of any number.
  static func layouts(in text: UnsafeBufferPointer<UInt8>) -> [EncodedRun] {
    var runs: [EncodedRun] = []
    addLayouts(in: text, to: &runs)
    return runs
  }

  private static func addLayouts(in text: UnsafeBufferPointer<UInt8>, to runs: inout [EncodedRun]) {
    MarkupRuns(text).search(&runs)
    LineRuns(text).search(&runs)
  }

  package static func candidates(
    in bytes: [UInt8], limit: Int = 64 << 20
  ) -> (runs: [EncodedRun], isComplete: Bool) {
    bytes.withUnsafeBytes { candidates(in: $0, limit: limit) }
  }
}
