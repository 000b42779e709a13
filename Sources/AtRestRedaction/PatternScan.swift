/// The scanners behind ``RedactionPatterns``. They are written by hand, because hostile text can
/// make a regular expression backtrack without end.
enum PatternScan {
  typealias Found = (Range<Int>) -> Void

  static func index(
    of word: StaticString, in text: [UInt8], from start: Int, to limit: Int? = nil
  ) -> Int? {
    let count = word.utf8CodeUnitCount
    let first = word.utf8Start[0]
    var index = start
    while index <= (limit ?? text.count) - count {
      if text[index].lowercased == first,
        (1..<count).allSatisfy({ text[index + $0].lowercased == word.utf8Start[$0] })
      {
        return index
      }
      index += 1
    }
    return nil
  }

  static func end(of text: [UInt8], from start: Int, while holds: (UInt8) -> Bool) -> Int {
    var index = start
    while index < text.count, holds(text[index]) { index += 1 }
    return index
  }

  static func bearerTokens(_ text: [UInt8], _ found: Found) {
    var start = 0
    while let word = index(of: "bearer", in: text, from: start) {
      start = word + 6
      let token = end(of: text, from: start) { $0 == UInt8(ascii: " ") }
      guard token > start else { continue }
      let tokenEnd = end(of: text, from: token) {
        $0.isAlphanumeric || "-._~+/=".utf8.contains($0)
      }
      let count = tokenEnd - token
      if count >= 16 || count >= 8 && text[token..<tokenEnd].contains(where: \.isDigit) {
        found(token..<tokenEnd)
      }
    }
  }

  static func jsonWebTokens(_ text: [UInt8], _ found: Found) {
    var start = 0
    // "eyJ" is `{"` in base64.
    while let token = index(of: "eyj", in: text, from: start) {
      start = token + 3
      guard token == 0 || !text[token - 1].isBase64URL else { continue }
      let header = end(of: text, from: start, while: \.isBase64URL)
      guard header - token >= 8, header < text.count, text[header] == UInt8(ascii: ".") else {
        start = header
        continue
      }
      let body = end(of: text, from: header + 1, while: \.isBase64URL)
      guard body < text.count, text[body] == UInt8(ascii: ".") else { continue }
      start = end(of: text, from: body) { $0.isBase64URL || $0 == UInt8(ascii: ".") }
      found(token..<start)
    }
  }

  static func privateKeys(_ text: [UInt8], _ found: Found) {
    var start = 0
    while let begin = index(of: "-----begin ", in: text, from: start) {
      start = begin + 11
      let labelEnd = end(of: text, from: start) { $0 != UInt8(ascii: "-") }
      guard index(of: "private key", in: text, from: start, to: labelEnd) != nil else {
        start = labelEnd
        continue
      }
      guard let finish = index(of: "-----end ", in: text, from: labelEnd) else {
        return found(begin..<text.count)
      }
      let last = end(of: text, from: finish + 9) { $0 != UInt8(ascii: "-") }
      start = end(of: text, from: last) { $0 == UInt8(ascii: "-") }
      found(begin..<start)
    }
  }

  static func emailAddresses(_ text: [UInt8], _ found: Found) {
    for (index, byte) in text.enumerated() where byte == UInt8(ascii: "@") {
      var start = index
      // At most 64 characters before the sign and 255 after it are examined (RFC 5321), which keeps
      // the time linear.
      while start > 0, index - start < 64,
        text[start - 1].isAlphanumeric || "._%+-'".utf8.contains(text[start - 1])
      {
        start -= 1
      }
      var finish = index + 1
      while finish < text.count, finish - index <= 255,
        text[finish].isAlphanumeric || text[finish] == UInt8(ascii: ".")
          || text[finish] == UInt8(ascii: "-")
      {
        finish += 1
      }
      while finish > index + 1, !text[finish - 1].isAlphanumeric { finish -= 1 }
      if start < index, text[index + 1..<finish].contains(UInt8(ascii: ".")) {
        found(start..<finish)
      }
    }
  }

  // MARK: Named values

  /// The endings of names whose values are secret, in lower case, with letters and digits only.
  private static let secretEnds: [[UInt8]] = [
    "password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "apikey",
    "privatekey", "secretkey", "accesskey", "encryptionkey", "authorization", "cookie",
    "credential", "credentials", "sessionid", "cardnumber", "cvv", "cvc",
  ].map { Array($0.utf8) }
  private static let secretNames: Set<[UInt8]> = Set(
    ["pin", "otp", "auth", "session"].map { Array($0.utf8) })
  /// Short names that are also the endings of other words. They count only as the last word of a
  /// name.
  private static let secretWords: Set<[UInt8]> = Set(["pass", "pw"].map { Array($0.utf8) })

  static func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
    // 64 characters are enough for every ending, so a long name takes no more time.
    let letters = name.suffix(64).filter(\.isAlphanumeric).map(\.lowercased)
    return secretNames.contains(letters) || isSecretWord(name)
      || secretEnds.contains { letters.suffix($0.count).elementsEqual($0) }
  }

  /// Returns true if the last word of a name is `pass` or `pw`, as in `pass`, `db_pass`, `dbPass`
  /// and `user.pw`, but not in `compass`.
  private static func isSecretWord(_ name: ArraySlice<UInt8>) -> Bool {
    var word: [UInt8] = []
    for byte in name.suffix(8).reversed() {
      guard byte.isAlphanumeric else { break }
      word.insert(byte.lowercased, at: 0)
      // A capital letter begins a word, unless the whole name is in capitals.
      if byte.isCapital, !name.allSatisfy({ !$0.isAlphanumeric || $0.isCapital || $0.isDigit }) {
        break
      }
    }
    return secretWords.contains(word)
  }

  /// Returns true if a value after `pass` is a count or a verdict, as in a test summary.
  private static func isVerdict(_ value: ArraySlice<UInt8>) -> Bool {
    if value.count < 8 && value.allSatisfy(\.isDigit) { return true }
    return ["true", "false", "yes", "no", "ok"].contains(
      String(decoding: value.map(\.lowercased), as: UTF8.self))
  }

  /// Returns true if a name is part of a test report, as Go prints it: `--- PASS: TestName`.
  private static func isReport(_ name: ArraySlice<UInt8>, in text: [UInt8]) -> Bool {
    name.elementsEqual("PASS".utf8)
      && text[..<name.startIndex].suffix(4).elementsEqual("--- ".utf8)
  }

  private static func takesLine(_ name: ArraySlice<UInt8>) -> Bool {
    let letters = name.suffix(64).filter(\.isAlphanumeric).map(\.lowercased)
    return ["authorization", "cookie"].contains {
      letters.suffix($0.utf8.count).elementsEqual($0.utf8)
    }
  }

  /// Finds the password in URLs such as `https://user:password@host`.
  private static func urlPasswords(_ text: [UInt8], _ found: Found) {
    var start = 0
    while let scheme = index(of: "://", in: text, from: start) {
      start = scheme + 3
      let authorityEnd = end(of: text, from: start) { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
      let authority = text[start..<authorityEnd]
      if let at = authority.lastIndex(of: UInt8(ascii: "@")),
        let colon = authority.firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
      {
        found(colon + 1..<at)
      }
      start = authorityEnd
    }
  }

  static func namedValues(_ text: [UInt8], _ found: Found) {
    urlPasswords(text, found)
    authorizations(text, found)
    var index = 0
    while index < text.count {
      guard text[index].isNamePart else {
        index += 1
        continue
      }
      let nameEnd = end(of: text, from: index, while: \.isNamePart)
      let name = text[index..<nameEnd]
      index = nameEnd
      guard isSecretName(name) else { continue }
      var value = end(of: text, from: nameEnd) { "\"'` ])".utf8.contains($0) }
      guard value < text.count, "=:".utf8.contains(text[value]) else { continue }
      value = end(of: text, from: value) { "=:>".utf8.contains($0) }
      value = end(of: text, from: value) { $0 == UInt8(ascii: " ") || $0 == 0x09 }
      if isReport(name, in: text) { continue }
      let valueEnd = self.valueEnd(text, value, takesLine: takesLine(name))
      if valueEnd > value, !isSecretWord(name) || !isVerdict(text[value..<valueEnd]) {
        found(value..<valueEnd)
      }
      index = valueEnd
    }
  }

  /// Returns the end of a value: the end of a quotation or bracket, or the next space or separator.
  private static func valueEnd(_ text: [UInt8], _ start: Int, takesLine: Bool) -> Int {
    guard start < text.count else { return start }
    if text[start].isQuote { return quoteEnd(text, start) }
    var depth = 0
    var index = start
    while index < text.count {
      let byte = text[index]
      if byte.isQuote && !takesLine {
        index = quoteEnd(text, index)
        continue
      }
      if "[{(".utf8.contains(byte) { depth += 1 }
      if "]})".utf8.contains(byte) {
        if depth == 0 && !takesLine { return index }
        depth -= 1
      }
      if takesLine {
        if byte == 0x0a || byte == 0x0d { return index }
      } else if depth <= 0, byte <= 0x20 || ",;&".utf8.contains(byte) {
        return index
      }
      index += 1
    }
    return index
  }

  /// Returns the index after the closing quote, or the end of the text.
  private static func quoteEnd(_ text: [UInt8], _ start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      if text[index] == text[start] { return index + 1 }
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return text.count
  }

  // MARK: Long keys

  static func longKeys(_ text: [UInt8], _ found: Found) {
    var index = 0
    while index < text.count {
      guard text[index].isBase64 else {
        index += 1
        continue
      }
      let start = index
      index = end(of: text, from: index, while: \.isBase64)
      if looksRandom(text[start..<index]) {
        found(start..<end(of: text, from: index) { $0 == UInt8(ascii: "=") })
      } else {
        hexKeys(text, start..<index, found)
      }
    }
  }

  private static func hexKeys(_ text: [UInt8], _ run: Range<Int>, _ found: Found) {
    var index = run.lowerBound
    while index < run.upperBound {
      let wordEnd = min(run.upperBound, end(of: text, from: index, while: \.isAlphanumeric))
      let word = text[index..<wordEnd]
      if word.count >= 32, word.contains(where: \.isDigit),
        word.contains(where: { !$0.isDigit }), word.allSatisfy({ $0.hexDigit != nil })
      {
        found(index..<wordEnd)
      }
      index = wordEnd + 1
    }
  }

  /// Random base64 changes between lower case, upper case, digits and other characters at 64.5 % of
  /// its positions; words and paths change far less often. Among random keys of 40 characters, one
  /// in 170 changes at fewer than 45 % and is not recognised.
  private static func looksRandom(_ run: ArraySlice<UInt8>) -> Bool {
    guard run.count >= 40 else { return false }
    let kinds = run.map(\.kind)
    let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
    return Set(kinds).isSuperset(of: [.small, .capital, .digit])
      && Double(changes) >= 0.45 * Double(kinds.count - 1)
  }
}

extension UInt8 {
  enum Kind { case small, capital, digit, other }

  var kind: Kind {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    default: .other
    }
  }

  var isCapital: Bool { kind == .capital }
  var isDigit: Bool { kind == .digit }
  var isAlphanumeric: Bool { kind != .other }
  var lowercased: UInt8 { kind == .capital ? self | 0x20 : self }
  var isQuote: Bool { "\"'`".utf8.contains(self) }
  fileprivate var isNamePart: Bool { isAlphanumeric || "_-.".utf8.contains(self) }
  fileprivate var isBase64URL: Bool { isAlphanumeric || "_-".utf8.contains(self) }
  var isBase64: Bool { isAlphanumeric || "_-+/".utf8.contains(self) }
}
