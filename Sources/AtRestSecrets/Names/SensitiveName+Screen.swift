extension SensitiveName {
  /// Returns false if a key is certainly not sensitive.
  ///
  /// Rules out most keys in a few nanoseconds, so that ``init(key:)`` is called for the others only.
  /// It looks for four letters that a word of each sensitive name contains. Thread-safe.
  ///
  /// - Parameter key: The key in UTF-8.
  public static func mayBeSensitive(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    signs.withUnsafeBufferPointer { signs in
      // The last letters, with five bits each.
      var code: UInt32 = 0
      var letters = 0
      for byte in key {
        guard byte < 0x80 else { return true }
        let letter = (byte | 0x20) &- 0x61
        guard letter < 26 else {
          letters = 0
          continue
        }
        code = code << 5 | UInt32(letter)
        letters &+= 1
        for length in 2...4 where letters >= length && signs[index(code, length)] { return true }
      }
      return false
    }
  }

  /// For each sequence of two to four letters, whether a sensitive name may contain it.
  private static let signs: [Bool] = {
    var signs = [Bool](repeating: false, count: 3 << 15)
    let tables = [
      Vocabulary.words, Vocabulary.weakWords, Vocabulary.vagueWords, Vocabulary.phrases,
    ]
    // A name that a phrase decides contains all of its words, so one of them is enough. Short names
    // come first, because they leave no choice. Names that are not ASCII are never ruled out.
    let names = tables.flatMap(\.keys).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
    for name in names where name.utf8.allSatisfy({ $0 < 0x80 }) {
      let words = name.split(separator: " ").map { Array($0.utf8) }
      let all = [4, 3, 2].lazy.map { length in words.flatMap { indices(of: length, in: $0) } }
      guard !all.joined().contains(where: { signs[$0] }) else { continue }
      if let sign = all.joined().first { signs[sign] = true }
    }
    return signs
  }()

  /// The indices of the sequences of letters of a length in a word.
  private static func indices(of length: Int, in word: [UInt8]) -> [Int] {
    guard word.count >= length else { return [] }
    return (0...word.count - length).map { start in
      index(word[start..<start + length].reduce(0) { $0 << 5 | UInt32($1 &- 0x61) & 31 }, length)
    }
  }

  /// An index into ``signs``: a third of it for each length.
  @inline(__always)
  private static func index(_ code: UInt32, _ length: Int) -> Int {
    let letters = code & ((1 << UInt32(5 &* length)) &- 1)
    return (length &- 2) << 15 | Int((letters &* 0x9E37_79B1) >> 17)
  }
}
