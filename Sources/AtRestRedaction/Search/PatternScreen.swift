@_spi(Tools) import AtRestSecrets

/// Looks for the beginnings of patterns.
struct PatternScreen {
  let patterns: RedactionPatterns
  /// The patterns of which the text may contain one.
  private(set) var suspects: RedactionPatterns = []
  /// A copy of the table, so that looking at a word does not ask whether the table was made.
  private let beginnings: [UInt64]

  init(patterns: RedactionPatterns) {
    self.patterns = patterns
    beginnings = patterns.isEmpty ? [] : Self.beginnings
  }

  /// Returns true if the text contains one of the patterns of which it may contain one.
  func isConfirmed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let suspects = suspects.intersection(patterns)
    guard !suspects.isEmpty else { return false }
    var isFound = false
    suspects.find(in: Array(text)) { if !$0.isEmpty { isFound = true } }
    return isFound
  }

  /// A word with which a pattern begins, in lower case.
  private struct Beginning: Sendable {
    let word: [UInt8]
    let pattern: RedactionPatterns
    /// Returns true for a character that may follow the word.
    var continues: @Sendable (UInt8) -> Bool = { _ in true }
  }

  private static let words: [Beginning] =
    [
      ("bearer", .bearerTokens), ("authorization", .namedValues), ("basic ", .namedValues),
      ("begin ", .privateKeys),
    ].map { Beginning(word: Array($0.utf8), pattern: $1) }
    + [
      Beginning(
        word: Array("eyj".utf8), pattern: .jsonWebTokens,
        continues: { TokenAlphabet.url.contains($0) })
    ]
    + TokenForm.all.filter { $0.isFound(by: .logs) }.flatMap { form in
      form.prefixes.map {
        Beginning(
          word: $0.utf8.map(\.lowercased), pattern: .serviceTokens,
          continues: { form.loose.alphabet.contains($0) })
      }
    }
  private static let bits = 12
  /// The first four bytes of each word, with every character that may follow a shorter word.
  private static let beginnings: [UInt64] = {
    var table = [UInt64](repeating: 0, count: 1 << (bits - 6))
    for beginning in words {
      var heads = [beginning.word.prefix(4)[...]]
      while let head = heads.popLast() {
        if head.count < 4 {
          heads += (0...255).filter(beginning.continues).map { head + [$0] }
          continue
        }
        let word = head.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        table[Int(hash(word) >> 6)] |= 1 << (hash(word) & 63)
      }
    }
    return table
  }()

  @inline(__always)
  private static func hash(_ word: UInt32) -> UInt64 {
    UInt64(((word | 0x2020_2020) &* 0x9E37_79B1) >> UInt32(32 - bits))
  }

  /// Takes the position at which a word begins.
  @inline(__always)
  mutating func see(word index: Int, _ text: UnsafeBufferPointer<UInt8>) {
    guard !patterns.isEmpty, index + 4 <= text.count else { return }
    let bytes = UnsafeRawPointer(text.baseAddress!)
    let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
    let hash = Self.hash(word)
    if beginnings[Int(hash >> 6)] & 1 << (hash & 63) != 0 { see(known: index, text) }
    // An IBAN begins with two letters and two digits.
    if text[index + 3].isDigit, text[index + 2].isDigit, text[index].isLetter,
      text[index + 1].isLetter, index + 15 <= text.count
    {
      suspects.insert(.bankAccounts)
    }
  }

  /// Words that begin a credential at the end of another word too.
  private static let endings: [(word: [UInt8], pattern: RedactionPatterns)] = [
    ("authorization", .namedValues), ("basic", .namedValues), ("bearer", .bearerTokens),
  ].map { (Array($0.utf8), $1) }

  /// Takes a word that may end in one of ``endings``.
  mutating func see(end word: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
    guard !patterns.isEmpty else { return }
    for (ending, pattern) in Self.endings where ending.count < word.count {
      let last = UnsafeBufferPointer(
        rebasing: text[word.upperBound - ending.count..<word.upperBound])
      if last.elementsEqual(ending, by: { $0 | 0x20 == $1 }) { suspects.insert(pattern) }
    }
  }

  /// The words by their third letter, or by each that may follow a word of two. Without closures, so that
  /// looking at one counts no references.
  private static let byThird: [[(word: [UInt8], pattern: RedactionPatterns)]] = (0...255).map {
    let third = UInt8($0)
    return words.filter {
      $0.word.count > 2 ? $0.word[2] == third : $0.continues(third)
    }.map { ($0.word, $0.pattern) }
  }

  private mutating func see(known index: Int, _ text: UnsafeBufferPointer<UInt8>) {
    let first = text[index].lowercased
    for (word, pattern) in Self.byThird[Int(text[index + 2].lowercased)] where word[0] == first {
      let isWord =
        index + word.count <= text.count
        && word.indices.allSatisfy({ text[index + $0].lowercased == word[$0] })
      if isWord { suspects.insert(pattern) }
    }
  }

  /// Takes a run of base64 characters, which may be a key.
  @inline(__always)
  mutating func see(run: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
    if run.count >= 40, patterns.contains(.longKeys) { see(long: run, text) }
  }

  private mutating func see(long run: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
    var isKey = false
    // The run of the screen may contain line breaks.
    var start = run.lowerBound
    for index in run.lowerBound...run.upperBound
    where index == run.upperBound || !text[index].isBase64 {
      PatternScan.longKeys(text, start..<index) { _ in isKey = true }
      start = index + 1
    }
    if isKey { suspects.insert(.longKeys) }
  }

  /// Takes a word with letters and digits, which may be an identity number or the end of one.
  @inline(__always)
  mutating func see(mixed word: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
    let start = word.lowerBound
    switch word.count {
    case 4 where text[start + 2].isDigit && start > 6 && text[start - 2].isDigit,
      9 where text[start + 2].isDigit && text[start + 5].isDigit,
      11 where text[start + 5].isDigit && text[start + 9].isDigit,
      16 where text[start + 6].isDigit && text[start + 7].isDigit,
      18 where text[start + 16].isDigit:
      confirm(.identityNumbers, max(0, start - 8)..<word.upperBound, text)
    default: break
    }
  }

  /// Takes a run of digits and separators, which may be a card number or an identity number.
  mutating func see(number run: Range<Int>, _ text: UnsafeBufferPointer<UInt8>) {
    guard !patterns.isDisjoint(with: [.identityNumbers, .paymentCards]) else { return }
    // The sizes of the groups between single separators, four bits each.
    var groups: UInt64 = 0
    var count = 0
    var longest = 0
    var digits = 0
    func isCapital(_ index: Int) -> Bool { text.indices.contains(index) && text[index].isCapital }
    for index in run.lowerBound...run.upperBound {
      if index < run.upperBound, text[index].isDigit {
        digits += 1
        count += 1
        continue
      }
      guard count > 0 else { continue }
      longest = max(longest, count)
      groups = groups << 4 | UInt64(min(count, 15))
      let isEnd =
        index + 1 >= run.upperBound || !text[index + 1].isDigit
      count = 0
      guard isEnd else { continue }
      // A letter before or after the digits is part of some numbers.
      let isBesideLetter = isCapital(index) || isCapital(index + 1) || isCapital(run.lowerBound - 1)
      if Self.holds(groups, Self.identities)
        || isBesideLetter && Self.holds(groups, Self.besideLetters)
      {
        confirm(.identityNumbers, run, text)
      }
      if longest >= 13 || digits >= 13 && Self.isGrouped(groups) {
        confirm(.paymentCards, run, text)
      }
      groups = 0
      digits = 0
      longest = 0
    }
  }

  /// Looks for a pattern beside a run, so that the whole text need not be searched for it.
  private mutating func confirm(
    _ pattern: RedactionPatterns, _ run: Range<Int>, _ text: UnsafeBufferPointer<UInt8>
  ) {
    guard patterns.contains(pattern), !suspects.contains(pattern) else { return }
    let part = Array(text[max(0, run.lowerBound - 4)..<min(text.count, run.upperBound + 4)])
    var isFound = false
    pattern.find(in: part) { _ in isFound = true }
    if isFound { suspects.insert(pattern) }
  }

  /// Returns true if some of the groups have the sizes of those of a card number.
  private static func isGrouped(_ groups: UInt64) -> Bool {
    var groups = groups
    while groups > 0xF {
      if groups & 0xFFFF == 0x4444 || groups & 0xFFFF == 0x4333 || groups & 0xFFFF == 0x4441
        || groups & 0xFFF == 0x465
        || groups & 0xFFF == 0x464 || groups & 0xFFF_FFFF == 0x222_2222 || groups & 0xFF == 0x6D
        || groups & 0xFF == 0x88
      {
        return true
      }
      groups >>= 4
    }
    return false
  }

  /// Returns true if some of the groups have the sizes of one of the forms.
  private static func holds(_ groups: UInt64, _ forms: [(groups: UInt64, mask: UInt64)]) -> Bool {
    var groups = groups
    while groups > 0 {
      for form in forms where groups & form.mask == form.groups { return true }
      groups >>= 4
    }
    return false
  }

  /// The sizes of the groups of digits in identity numbers. A letter of the Finnish number, and the
  /// last one of the Chinese number, is not in them.
  private static let identities = masked([
    0x324, 0x64, 0x84, 0x63, 0xD, 0xF, 0x444, 0x1222332, 0x3332, 0x22232, 0x3442,
  ])
  private static let besideLetters = masked([0x6, 0x7, 0x8, 0x222, 0x63])

  /// Returns each form with a mask of as many bits as it has.
  private static func masked(_ forms: [UInt64]) -> [(groups: UInt64, mask: UInt64)] {
    forms.map { ($0, 1 << UInt64(64 - $0.leadingZeroBitCount) - 1) }
  }

  /// Takes the position of a `=`, `:` or `>`, which may end the name of a secret.
  @inline(__always)
  mutating func see(separator index: Int, _ text: UnsafeBufferPointer<UInt8>) {
    if patterns.contains(.namedValues), !suspects.contains(.namedValues),
      Self.mayHold(separator: index, text)
    {
      suspects.insert(.namedValues)
    }
  }

  private static func mayHold(separator index: Int, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard index > 0 else { return false }
    let separator = text[index]
    if separator == UInt8(ascii: ":"), index + 2 < text.count, text[index + 1] == UInt8(ascii: "/"),
      text[index + 2] == UInt8(ascii: "/")
    {
      return Self.holdsPassword(text, index + 3)
    }
    if separator == 0x9A { return index > 2 && text[index - 1] == 0xBC && text[index - 2] == 0xEF }
    var end = index
    while end > 0, index - end < 64, text[end - 1].isAfterName { end -= 1 }
    guard end > 0, text[end - 1].isNamePart,
      !text[end - 1].isDigit || end < 3 || !text[end - 2].isDigit || !text[end - 3].isDigit
    else { return false }
    var start = end - 1
    while start > 0, end - start < 96, text[start - 1].isNamePart { start -= 1 }
    if separator == UInt8(ascii: ">") {
      // Only the names at the ends of elements count.
      while start > 0, text[start - 1] == UInt8(ascii: ":") || text[start - 1].isNamePart {
        start -= 1
      }
      return start > 1 && text[start - 1] == UInt8(ascii: "/")
        && text[start - 2] == UInt8(ascii: "<")
        && (Self.isSecret(text, start..<end) || end - start == 3)
    }
    if Self.isSecret(text, start..<end) { return true }
    // The last word of `mot de passe`, and the name in `name="password"`.
    if start > 1, end - start < 8, text[start - 1] == UInt8(ascii: " "),
      text[start - 2].isNamePart,
      PatternScan.phraseEnds.contains(where: { Self.ends(text, start..<end, $0) })
    {
      return true
    }
    if end - start == 4 || end - start == 7, PatternScan.isVagueName(text[start..<end]) {
      var value = index + 1
      while value < text.count, !text[value].isAlphanumeric, value - index < 8 { value += 1 }
      var valueEnd = value
      while valueEnd < text.count, text[valueEnd] > 0x20, valueEnd - value < 64 { valueEnd += 1 }
      return PatternScan.looksLikeToken(UnsafeBufferPointer(rebasing: text[value..<valueEnd]))
    }
    guard end - start <= 5 else { return false }
    var value = index + 1
    while value < text.count, value - index < 4, text[value].isAfterName { value += 1 }
    var valueEnd = value
    while valueEnd < text.count, valueEnd - value < 96, text[valueEnd].isNamePart { valueEnd += 1 }
    return PatternScan.isNameOfName(text[start..<end]) && Self.isSecret(text, value..<valueEnd)
  }

  /// Returns true if the part of a URL between scheme and path has an `@`.
  private static func holdsPassword(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
    var index = start
    while index < text.count, text[index] > 0x20, text[index] != UInt8(ascii: "/") {
      if text[index] == UInt8(ascii: "@") { return true }
      index += 1
    }
    return false
  }

  private static func mayBeSensitive(
    _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    SensitiveName.mayBeSensitive(UnsafeBufferPointer(rebasing: text[range]))
  }

  /// Returns true if a name is a word, in any case.
  private static func ends(
    _ text: UnsafeBufferPointer<UInt8>, _ name: Range<Int>, _ word: [UInt8]
  ) -> Bool {
    name.count == word.count
      && word.indices.allSatisfy { text[name.lowerBound + $0].lowercased == word[$0] }
  }

  private static func isSecret(_ text: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> Bool {
    !name.isEmpty && mayBeSensitive(text, name)
      && PatternScan.isSecretName(Array(text[name])[...])
  }

  /// Takes the classes of all bytes of the text.
  mutating func see(all seen: UInt16) {
    if seen & ByteClass.at != 0 { suspects.insert(.emailAddresses) }
  }
}
