@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// The words before a digest, in lower case.
  private static let digestNames: [[UInt8]] = [
    "sha1", "sha256", "sha384", "sha512", "md5", "digest", "checksum", "etag", "commit", "hash",
    "integrity", "fingerprint",
  ].map { Array($0.utf8) }

  static func longKeys(_ text: [UInt8], _ found: Found) {
    text.withUnsafeBufferPointer { text in
      var index = 0
      while index < text.count {
        guard text[index].isBase64 else {
          index += 1
          continue
        }
        let start = index
        while index < text.count, text[index].isBase64 { index += 1 }
        longKeys(text, start..<index) { key in
          var end = key.upperBound
          while end < text.count, text[end] == UInt8(ascii: "=") { end += 1 }
          found(key.lowerBound..<end)
        }
      }
    }
  }

  /// Finds the keys in a run of base64 characters.
  static func longKeys(
    _ text: UnsafeBufferPointer<UInt8>, _ run: Range<Int>, _ found: Found
  ) {
    guard run.count >= 40, !isDigest(text, run.lowerBound) else { return }
    // The names of Swift's symbols: `$s…`.
    if run.lowerBound > 0, text[run.lowerBound - 1] == UInt8(ascii: "$") { return }
    if looksRandom(UnsafeBufferPointer(rebasing: text[run])) { return found(run) }
    var index = run.lowerBound
    while index < run.upperBound {
      var end = index
      var capitals = 0
      var isHex = true
      var letters = 0
      while end < run.upperBound, text[end].isAlphanumeric {
        if text[end].isCapital { capitals += 1 }
        isHex = isHex && text[end].hexDigit != nil
        if !text[end].isDigit { letters += 1 }
        end += 1
      }
      // Shorter digits are digests and identifiers, such as those of commits and traces. Three in
      // eight random digits are letters.
      if isHex, end - index > 40, letters * 5 >= end - index,
        capitals == 0 || capitals == letters, letters < end - index, !isDigest(text, index)
      {
        found(index..<end)
      }
      index = end + 1
    }
  }

  /// Returns true if the name of a digest precedes an index, as in `sha256:…`.
  private static func isDigest(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    var end = index
    while end > 0, index - end < 4, ":=-\"' ".utf8.contains(text[end - 1]) { end -= 1 }
    let word = UnsafeBufferPointer(rebasing: text[max(0, end - 12)..<end])
    let isNamed = digestNames.contains { name in
      word.count >= name.count
        && word.suffix(name.count).elementsEqual(name) { $0.lowercased == $1 }
    }
    // The name may also be the beginning of the run, as in `sha512-…`.
    return isNamed
      || digestNames.contains { name in
        index + name.count < text.count
          && text[index..<index + name.count].elementsEqual(name) { $0.lowercased == $1 }
      }
  }

  /// Random base64 changes between lower case, upper case, digits and other characters at 64.5 % of
  /// its positions, and one in 32 is another character; words change less often, and paths have more
  /// other characters. Among random keys of 40 characters, one in 100 is not recognised.
  private static func looksRandom(_ run: UnsafeBufferPointer<UInt8>) -> Bool {
    var counts = (small: 0, capital: 0, digit: 0, changes: 0)
    var former: UInt8.Kind?
    for byte in run {
      let kind = byte.kind
      switch kind {
      case .small: counts.small += 1
      case .capital: counts.capital += 1
      case .digit: counts.digit += 1
      case .other: break
      }
      if let former, former != kind { counts.changes += 1 }
      former = kind
    }
    return counts.small > 0 && counts.capital > 0 && counts.digit > 0
      && counts.changes * 100 >= 45 * (run.count - 1)
      && (run.count - counts.small - counts.capital - counts.digit) * 10 <= run.count
  }
}
