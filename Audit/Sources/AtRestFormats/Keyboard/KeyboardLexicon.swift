/// Reads the words that the keyboard learnt, from `dynamic-lexicon.dat` or the older
/// `dynamic-text.dat`.
///
/// Version 9 is the number of records, big-endian, followed by the records: an identifier of one,
/// two or four bytes, according to its first two bits, eight bytes about the word's use, the word
/// in UTF-8, and a zero byte. Apple documents neither file. For other versions, and for parts that
/// do not follow the layout, the printable strings are reported.
package enum KeyboardLexicon {
  package struct Word: Hashable, Sendable {
    package let text: String
    /// The offset of the text in the file, in bytes.
    package let offset: Int
    /// True if the word is the user's own and false if it is from the system's dictionary. Nil if
    /// the layout is unknown.
    package let isLearned: Bool?
  }

  /// The maximum size of a word, in bytes.
  static let wordLimit = 1024

  /// Reads every word, in the order of the file.
  ///
  /// - Parameters:
  ///   - path: The file's name in the returned skips.
  ///   - each: Called with each word as it is read.
  /// - Returns: The parts that do not follow the layout.
  /// - Throws: ``FormatError`` if the source is not such a file, or cannot be read.
  package static func read(
    _ source: ByteSource, path: String, each: (Word) -> Void
  ) throws(FormatError) -> [Skip] {
    let head = try source.prefix(24)
    guard head.has("DynamicDictionary-", at: 0) else {
      throw FormatError("This is not a keyboard dictionary.", offset: 0)
    }
    var offset = min(20, source.count)
    var skips: [Skip] = []
    if head.has("9\0", at: 18), let count = head.bigEndian(at: 20, size: 4) {
      offset = 24
      var window = ByteWindow(source)
      for _ in 0..<count {
        guard let (word, end) = try record(&window, at: offset) else {
          skips.append(
            Skip(path: path, reason: "The dictionary's layout is unknown from byte \(offset) on."))
          break
        }
        each(word)
        offset = end
      }
    } else {
      skips.append(
        Skip(
          path: path,
          reason: "The dictionary's version is unknown; its printable strings are read."))
    }
    // A table of numbers follows the words. A word in it is one that the header did not count.
    try StringsScan(encodings: [.utf8], minimum: 3).read(source, in: offset..<source.count) { run in
      each(Word(text: run.text, offset: run.offset, isLearned: nil))
    }
    return skips
  }

  private static func record(
    _ window: inout ByteWindow, at start: Int
  ) throws(FormatError) -> (Word, Int)? {
    let room = min(12 + wordLimit + 1, window.source.count - start)
    guard room > 0 else { return nil }
    let bytes = try window.read(at: start, count: room)
    let size = bytes[0] < 0x80 ? 1 : bytes[0] < 0xC0 ? 2 : 4
    guard bytes.count > size + 8, let end = bytes[(size + 8)...].firstIndex(of: 0), end > size + 8,
      let text = String(validating: bytes[size + 8..<end], as: UTF8.self)
    else { return nil }
    let isLearned = size == 4 && bytes[1] == 0xC0
    return (Word(text: text, offset: start + size + 8, isLearned: isLearned), start + end + 1)
  }
}
