@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// The authentication schemes of RFC 9110 and of services. Credentials follow the name of a
  /// scheme.
  private static let schemes: [[UInt8]] = [
    "basic", "bearer", "digest", "negotiate", "ntlm", "token", "apikey", "hmac", "signature",
    "dpop",
    "gnap", "hawk", "hoba", "mutual", "oauth", "scram-sha-1", "scram-sha-256", "vapid",
    "aws4-hmac-sha256", "sharedkey",
  ].map { Array($0.utf8) }

  /// Finds the credentials that follow a scheme after `Authorization`, whatever separates the two
  /// words: `Authorization Basic …`, `("Authorization", "Basic …")`. Also finds the credentials
  /// after `Basic` anywhere, if they are a name and a password in base64.
  static func authorizations(_ text: [UInt8], _ found: Found) {
    var start = 0
    while let word = index(of: "authorization", in: text, from: start) {
      start = word + 13
      let scheme = end(of: text, from: start) { " \t\"'`,:=>()[]\\".utf8.contains($0) }
      guard scheme > start, scheme - start <= 16 else { continue }
      let schemeEnd = end(of: text, from: scheme) { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
      let name = text[scheme..<schemeEnd].map({ $0.lowercased })
      guard schemes.contains(name), schemeEnd < text.count, text[schemeEnd] == UInt8(ascii: " ")
      else { continue }
      let value = end(of: text, from: schemeEnd) { $0 == UInt8(ascii: " ") }
      // If only spaces separate the two words, this may be a sentence about tokens.
      if text[start..<scheme].allSatisfy({ $0 == UInt8(ascii: " ") }), !isCredential(text, value) {
        continue
      }
      // The credentials end with the line, or with the quotation that contains the scheme.
      let isQuoted = text[scheme - 1].isQuote
      let valueEnd = end(of: text, from: value) {
        $0 != 0x0a && $0 != 0x0d && !(isQuoted && $0 == text[scheme - 1])
      }
      if valueEnd > value { found(value..<valueEnd) }
      start = max(start, valueEnd)
    }
    basicCredentials(text, found)
  }

  /// Returns true if the text at an index looks like a credential and not like an ordinary word.
  private static func isCredential(_ text: [UInt8], _ start: Int) -> Bool {
    let word = text[start..<end(of: text, from: start) { $0 > 0x20 }]
    return word.count >= 8
      && (word.contains { $0.isDigit || "=+/".utf8.contains($0) }
        || word.dropFirst().contains(where: { $0.isCapital }))
  }

  private static func basicCredentials(_ text: [UInt8], _ found: Found) {
    var start = 0
    while let word = index(of: "basic ", in: text, from: start) {
      start = word + 6
      let value = end(of: text, from: start) { $0 == UInt8(ascii: " ") }
      let digits = end(of: text, from: value, while: { $0.isBase64 })
      let valueEnd = end(of: text, from: digits) { $0 == UInt8(ascii: "=") }
      guard digits - value >= 4, valueEnd - digits <= 2 else { continue }
      // Words such as "authentication" also decode, but not to text with a colon.
      let decoded = text[value..<digits].withUnsafeBufferPointer { ByteRun.base64.bytes(of: $0) }
      if let decoded, decoded.contains(UInt8(ascii: ":")),
        decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
      {
        found(value..<valueEnd)
      }
      start = valueEnd
    }
  }
}
