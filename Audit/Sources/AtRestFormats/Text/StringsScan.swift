/// Finds printable strings in any bytes, in UTF-8 and UTF-16, like the program `strings`.
///
/// The source is read in windows, so a file may be of any size. In UTF-16, the Latin, Greek,
/// Cyrillic, Hebrew and Arabic alphabets are found. Ideographs are not, because such pairs of bytes
/// are as often two letters.
package struct StringsScan: Sendable {
  package enum Encoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
  }

  package struct Run: Hashable, Sendable {
    package let text: String
    /// The offset of the text in the source, in bytes.
    package let offset: Int
    /// The size of the text in bytes.
    package let size: Int
    package let encoding: Encoding
  }

  /// The maximum size of a string in bytes. Longer strings are returned in parts of this size.
  package static let runLimit = 1 << 16
  private static let windowSize = 1 << 20

  private let encodings: Set<Encoding>
  private let minimum: Int

  /// Creates a scan.
  ///
  /// - Parameter minimum: The minimum number of characters in a string, at least 1.
  package init(encodings: Set<Encoding> = Set(Encoding.allCases), minimum: Int = 4) {
    self.encodings = encodings
    self.minimum = max(1, minimum)
  }

  /// Finds the strings in a range. Within each window, strings in UTF-8 come before those in
  /// UTF-16.
  ///
  /// - Parameter range: The range to read, or nil for the whole source.
  /// - Throws: ``FormatError`` if the range extends beyond the end, or the file cannot be read.
  package func read(
    _ source: ByteSource, in range: Range<Int>? = nil, each: (Run) -> Void
  ) throws(FormatError) {
    let range = range ?? 0..<source.count
    var start = range.lowerBound
    // The ends of the last texts, which may reach into the next window.
    var ends = (narrow: start, wide: start)
    while start < range.upperBound {
      let limit = start + min(Self.windowSize, range.upperBound - start)
      let bytes = try source.read(start..<limit + min(Self.runLimit, range.upperBound - limit))
      bytes.withUnsafeBufferPointer { buffer in
        let window = Window(bytes: buffer, start: start, limit: limit)
        if encodings.contains(.utf8) {
          ends.narrow = window.narrow(from: ends.narrow, minimum: minimum, each: each)
        }
        if encodings.contains(.utf16LittleEndian) || encodings.contains(.utf16BigEndian) {
          ends.wide = window.wide(
            from: ends.wide, minimum: minimum, encodings: encodings, each: each)
        }
      }
      start = limit
    }
  }
}
