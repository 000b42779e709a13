/// Reads the words of a full-text index of SQLite: the segments of FTS3 and FTS4, and the leaves of
/// FTS5 (sqlite.org/fts3.html, *Data Structures*, and `fts5_index.c`).
///
/// Where words occur is not read. In an index without contents, they are all that is left of a text.
package enum FullTextTerms {
  package enum Version: Sendable {
    case fts3, fts5
  }

  /// The maximum length of a word in bytes.
  private static let longest = 4096
  /// The maximum size of all words of a block, as a multiple of its own size. A hostile block can
  /// repeat a long word in few bytes.
  private static let growth = 64

  /// Calls `each` with each word of a block. Blocks that are damaged or have another purpose are
  /// read as far as they fit.
  package static func read(_ block: ArraySlice<UInt8>, _ version: Version, each: (String) -> Void) {
    let block = Array(block)
    var room = growth * block.count
    let give = { (word: ArraySlice<UInt8>) -> Bool in
      room -= word.count
      if !word.isEmpty, room >= 0 { each(String(decoding: word, as: UTF8.self)) }
      return room >= 0
    }
    switch version {
    case .fts3: segment(block, give)
    case .fts5: leaf(block, give)
    }
  }

  /// Reads a node of a segment: its height, then words, each of which shares its first bytes with
  /// the word before. In a leaf, the word's documents follow.
  private static func segment(_ block: [UInt8], _ give: (ArraySlice<UInt8>) -> Bool) {
    var reader = LittleCursor(block[...])
    guard let height = reader.varint(), height < 64 else { return }
    if height > 0, reader.varint() == nil { return }
    var word: [UInt8] = []
    var isFirst = true
    while reader.left > 0 {
      guard let shared = isFirst ? 0 : reader.varint(), shared <= word.count,
        let size = reader.varint(), size <= longest, let rest = reader.bytes(size),
        shared + size <= longest
      else { return }
      isFirst = false
      word = Array(word[..<shared]) + rest
      if height == 0 { guard reader.sizedBytes() != nil, give(word[...]) else { return } }
    }
  }

  /// Reads a leaf: the offset of the first document and of the list of words, words with their
  /// documents, and the list of the words' offsets.
  private static func leaf(_ block: [UInt8], _ give: (ArraySlice<UInt8>) -> Bool) {
    guard let list = block.bigEndian(at: 2, size: 2), list >= 4, list < block.count else { return }
    var place = list
    var offset = 0
    var word: [UInt8] = []
    var isFirst = true
    while place < block.count, let step = block.sqliteVarint(at: &place, limit: block.count),
      step < UInt64(list)
    {
      offset += Int(step)
      var start = offset
      guard start >= 4, start < list else { return }
      var shared = 0
      if !isFirst {
        guard let count = block.sqliteVarint(at: &start, limit: list), count <= UInt64(word.count)
        else { return }
        shared = Int(count)
      }
      guard let size = block.sqliteVarint(at: &start, limit: list), size <= UInt64(longest),
        Int(size) <= list - start, shared + Int(size) <= longest
      else { return }
      word = Array(word[..<shared]) + block[start..<start + Int(size)]
      isFirst = false
      // The first byte says which index the word belongs to: `0` is that of whole words.
      if word.first == UInt8(ascii: "0"), !give(word.dropFirst()) { return }
    }
  }
}
