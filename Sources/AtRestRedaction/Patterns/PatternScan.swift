@_spi(Tools) import AtRestSecrets

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
      if count >= 16 || count >= 8 && text[token..<tokenEnd].contains(where: { $0.isDigit }) {
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
      let header = end(of: text, from: start, while: { $0.isBase64URL })
      guard header - token >= 8, header < text.count, text[header] == UInt8(ascii: ".") else {
        start = header
        continue
      }
      let body = end(of: text, from: header + 1, while: { $0.isBase64URL })
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
}

extension UInt8 {
  enum Kind: UInt8 { case small, capital, digit, other }

  var kind: Kind {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): .small
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): .capital
    case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
    default: .other
    }
  }

  var isQuote: Bool { self == 0x22 || self == 0x27 || self == 0x60 }
  var isNamePart: Bool {
    isAlphanumeric || self >= 0x80 || self == 0x5F || self == 0x2D || self == 0x2E
  }
  var isBase64URL: Bool { isAlphanumeric || self == 0x5F || self == 0x2D }
  var isBase64: Bool { isBase64URL || self == 0x2B || self == 0x2F }
  /// True for a quote, a closing bracket or a space, which may be between a name and a separator.
  var isAfterName: Bool { isQuote || self == 0x20 || self == 0x5D || self == 0x29 }
}
