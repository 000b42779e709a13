/// Finds printable texts in bytes of any kind, as `strings` does, in UTF-8 and UTF-16.
///
/// Reads through one window, so a file may be of any size. In UTF-16 the Latin, Greek, Cyrillic, Hebrew
/// and Arabic alphabets are found: pairs of bytes that could be ideographs are as often two letters.
package struct StringsScan: Sendable {
  package enum Encoding: String, CaseIterable, Sendable {
    case utf8 = "utf-8", utf16LittleEndian = "utf-16le", utf16BigEndian = "utf-16be"
  }

  package struct Run: Hashable, Sendable {
    package let text: String
    /// Where it begins, in bytes from the start of the source.
    package let offset: Int
    /// Its size in bytes.
    package let size: Int
    package let encoding: Encoding
  }

  /// A longer text is given in parts of this many bytes.
  package static let runLimit = 1 << 16
  private static let windowSize = 1 << 20

  private let encodings: Set<Encoding>
  private let minimum: Int

  /// - Parameter minimum: The fewest characters of a text, from 1.
  package init(encodings: Set<Encoding> = Set(Encoding.allCases), minimum: Int = 4) {
    self.encodings = encodings
    self.minimum = max(1, minimum)
  }

  /// Finds every text of a range, in UTF-8 by offset, and those in UTF-16 after each window's.
  ///
  /// - Parameter range: What to read; all if nothing is given.
  /// - Throws: ``FormatError`` if the range goes beyond the end, or the file cannot be read.
  package func read(
    _ source: ByteSource, in range: Range<Int>? = nil, each: (Run) -> Void
  ) throws(FormatError) {
    let range = range ?? 0..<source.count
    var start = range.lowerBound
    // Where the last text ended, for it may reach into the next window.
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
