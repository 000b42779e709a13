/// Reads the words that the keyboard learnt: `dynamic-lexicon.dat`, and `dynamic-text.dat` of old.
///
/// Version 9 is a count, big-endian, and that many records: an identifier of one, two or four bytes by
/// its first two bits, eight bytes of use, the word in UTF-8, a zero. Apple documents neither; of any
/// other version, and of what does not follow the layout, the printable texts are given.
package enum KeyboardLexicon {
  package struct Word: Hashable, Sendable {
    package let text: String
    /// Where the text begins, in bytes from the start of the file.
    package let offset: Int
    /// Whether the word is the user's own and not of the dictionary that the system came with; unknown
    /// where the layout is.
    package let isLearned: Bool?
  }

  /// A longer word is no word.
  static let wordLimit = 1024

  /// Reads every word, in the order of the file.
  ///
  /// - Parameters:
  ///   - path: The file's name in what is left out.
  ///   - each: Called with each word as it is read.
  /// - Returns: What does not follow the layout.
  /// - Throws: ``FormatError`` if it is no such file, or cannot be read.
  package static func read(
    _ source: ByteSource, path: String, each: (Word) -> Void
  ) throws(FormatError) -> [Skip] {
    let head = try source.prefix(24)
    guard head.has("DynamicDictionary-", at: 0) else {
      throw FormatError("This is no dictionary of the keyboard.", offset: 0)
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
        Skip(path: path, reason: "The dictionary's version is unknown; texts are given."))
    }
    // Behind the words stands a table of numbers; a word in it is one that was not counted.
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
