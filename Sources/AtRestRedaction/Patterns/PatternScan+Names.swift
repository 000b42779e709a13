@_spi(Tools) import AtRestSecrets

extension PatternScan {
  /// The endings of names whose values are secret, in lower case, with letters and digits only.
  private static let secretEnds: [[UInt8]] = [
    "password", "passwd", "pwd", "passphrase", "passcode", "secret", "token", "apikey",
    "privatekey", "secretkey", "accesskey", "encryptionkey", "authorization", "cookie",
    "credential", "credentials", "sessionid", "cardnumber", "cvv", "cvc",
  ].map { Array($0.utf8) }
  private static let secretNames: Set<[UInt8]> = Set(
    ["pin", "otp"].map { Array($0.utf8) })
  /// Short names that are also the endings of other words. They count only as the last word of a
  /// name.
  private static let secretWords: Set<[UInt8]> = Set(["pass", "pw"].map { Array($0.utf8) })

  /// The endings of names in scripts without spaces between words.
  private static let unspacedEnds: [[UInt8]] = [
    "密码", "密碼", "口令", "パスワード", "暗証番号", "비밀번호", "암호", "รหัสผ่าน",
  ].map { Array($0.utf8) }

  /// Returns true for a name whose value is secret if it looks so.
  static func isVagueName(_ name: some Collection<UInt8>) -> Bool {
    guard name.count == 4 || name.count == 7 else { return false }
    let word: StaticString = name.count == 4 ? "auth" : "session"
    return zip(name, 0...).allSatisfy { $0.lowercased == word.utf8Start[$1] }
  }

  private static let names = NameCache()

  /// Returns true if every value under a name is secret.
  static func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
    name.withUnsafeBufferPointer { bytes in
      // Every name in the lists above contains a word of the vocabulary.
      SensitiveName.mayBeSensitive(bytes)
        && names.verdict(on: bytes) { judge(name) }
    }
  }

  private static func judge(_ name: ArraySlice<UInt8>) -> Bool {
    // 64 characters are enough for every ending, so a long name takes no more time.
    let letters = name.suffix(64).filter({ $0.isAlphanumeric }).map({ $0.lowercased })
    return secretNames.contains(letters) || isSecretWord(name)
      || secretEnds.contains { letters.suffix($0.count).elementsEqual($0) }
      || unspacedEnds.contains { name.suffix($0.count).elementsEqual($0) }
      || isSensitive(name)
  }

  /// Returns true if the vocabulary of ``SensitiveName`` has a name in it that means one thing.
  private static func isSensitive(_ name: ArraySlice<UInt8>) -> Bool {
    guard name.count <= 80,
      let found = SensitiveName(key: String(decoding: name, as: UTF8.self)),
      found.strength == .clear, !found.isPlural
    else { return false }
    return switch found.kind {
    case .password, .secret, .token, .privateKey, .cardNumber, .bankAccount, .identityNumber: true
    default: false
    }
  }

  /// Returns true for values that say that there is no secret, or that it is withheld already.
  private static func isNothing(_ value: ArraySlice<UInt8>) -> Bool {
    let text = value.filter { $0.isAlphanumeric || $0 >= 0x80 }.map({ $0.lowercased })
    return text.isEmpty
      || [
        "null", "nil", "none", "true", "false", "yes", "no", "undefined", "redacted", "withheld",
        "hidden",
      ].contains { text.elementsEqual($0.utf8) }
  }

  /// Returns true for a value of letters and digits, as tokens are.
  static func looksLikeToken(_ value: some Collection<UInt8>) -> Bool {
    value.count >= 12 && value.contains(where: { $0.isDigit })
      && value.contains { $0.isAlphanumeric && !$0.isDigit }
  }

  /// Returns true for a description of an object, such as `Token{9f4ef63}` or `Proxy@2bd79ce`.
  private static func isObject(_ value: ArraySlice<UInt8>) -> Bool {
    let rest = value.drop { $0.isNamePart || $0 == UInt8(ascii: "$") }
    guard rest.startIndex > value.startIndex, let mark = rest.first else { return false }
    if mark == UInt8(ascii: "{") { return true }
    return mark == UInt8(ascii: "@") && (1...8).contains(rest.count - 1)
      && rest.dropFirst().allSatisfy { $0.hexDigit != nil }
  }

  /// Returns true for the number of a session, which is not a secret: 64 bits, hexadecimal or decimal.
  private static func isSessionNumber(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Bool
  {
    let letters = name.suffix(64).filter({ $0.isAlphanumeric }).map({ $0.lowercased })
    guard letters.suffix(9).elementsEqual("sessionid".utf8) || letters.elementsEqual("session".utf8)
    else { return false }
    if value.count <= 24, value.allSatisfy({ $0.isDigit || "-_".utf8.contains($0) }) { return true }
    return value.count <= 18 && value.starts(with: "0x".utf8)
      && value.dropFirst(2).allSatisfy { $0.hexDigit != nil }
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
    if value.count < 8 && value.allSatisfy({ $0.isDigit }) { return true }
    return ["true", "false", "yes", "no", "ok"].contains(
      String(decoding: value.map({ $0.lowercased }), as: UTF8.self))
  }

  /// Returns true if a name is part of a test report, as Go prints it: `--- PASS: TestName`.
  private static func isReport(_ name: ArraySlice<UInt8>, in text: [UInt8]) -> Bool {
    name.elementsEqual("PASS".utf8)
      && text[..<name.startIndex].suffix(4).elementsEqual("--- ".utf8)
  }

  private static func takesLine(_ name: ArraySlice<UInt8>) -> Bool {
    let letters = name.suffix(64).filter({ $0.isAlphanumeric }).map({ $0.lowercased })
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

  /// Names whose value is the name of another value: `name="password" value="…"`.
  private static let namesOfNames: [[UInt8]] = Array(
    ["name", "id", "key", "field", "param", "type"].map { Array($0.utf8) })
  private static let namesOfValues: Set<[UInt8]> = Set(
    ["value", "content", "val"].map { Array($0.utf8) })

  /// Returns true for a name such as `name`, whose value may be the name of a secret.
  static func isNameOfName(_ name: some Collection<UInt8>) -> Bool {
    (2...5).contains(name.count)
      && namesOfNames.contains { $0.elementsEqual(name) { $0 == $1.lowercased } }
  }

  static func namedValues(_ text: [UInt8], _ found: Found) {
    urlPasswords(text, found)
    authorizations(text, found)
    elements(text, found)
    var index = 0
    // The end of a name that is itself a value.
    var named = -1000
    while index < text.count {
      guard text[index].isNamePart else {
        index += 1
        continue
      }
      let first = index
      let nameEnd = nameEnd(text, index)
      index = max(nameEnd, index + 1)
      guard let separator = separatorEnd(text, nameEnd) else { continue }
      let name = text[first..<nameEnd]
      var isSecret = isSecretName(name) || isPhrase(text, first..<nameEnd)
      let letters = name.map({ $0.lowercased })
      let isVague = isVagueName(name)
      if isVague { isSecret = true }
      if !isSecret, namesOfValues.contains(letters), first - named < 64 { isSecret = true }
      let value = end(of: text, from: separator) { $0 == UInt8(ascii: " ") || $0 == 0x09 }
      guard isSecret else {
        if isNameOfName(name), let end = secretName(text, value) { named = end }
        continue
      }
      if isReport(name, in: text) { continue }
      let valueEnd = self.valueEnd(text, value, takesLine: takesLine(name))
      let content = text[value..<max(value, valueEnd)]
      if !content.isEmpty, !isNothing(content), !isSessionNumber(name, content),
        !isVague || looksLikeToken(content), !isObject(content),
        !isSecretWord(name) || !isVerdict(content)
      {
        found(value..<valueEnd)
      }
      index = max(index, valueEnd)
    }
  }

  /// Returns the end of a name, which is at a full-width colon at the latest.
  private static func nameEnd(_ text: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < text.count, text[index].isNamePart, !isWideColon(text, index) { index += 1 }
    return index
  }

  private static func isWideColon(_ text: [UInt8], _ index: Int) -> Bool {
    text[index] == 0xEF && index + 2 < text.count && text[index + 1] == 0xBC
      && text[index + 2] == 0x9A
  }

  /// Returns the index after the `=` or `:` that follows a name, or nil if there is none.
  private static func separatorEnd(_ text: [UInt8], _ nameEnd: Int) -> Int? {
    let separator = end(of: text, from: nameEnd) { "\"'` ])".utf8.contains($0) }
    guard separator < text.count, separator - nameEnd <= 64 else { return nil }
    if isWideColon(text, separator) { return separator + 3 }
    guard "=:".utf8.contains(text[separator]) else { return nil }
    return end(of: text, from: separator) { "=:>".utf8.contains($0) }
  }

  /// Returns true if a name and the two words before it are a name of several words: `mot de passe`.
  private static func isPhrase(_ text: [UInt8], _ name: Range<Int>) -> Bool {
    var start = name.lowerBound
    for _ in 0..<2 {
      guard start > 1, text[start - 1] == UInt8(ascii: " "), text[start - 2].isNamePart else {
        break
      }
      start -= 1
      while start > 0, text[start - 1].isNamePart, name.upperBound - start < 64 { start -= 1 }
      if phrases.contains(Array(text[start..<name.upperBound].map({ $0.lowercased }))) {
        return true
      }
    }
    return false
  }

  static let phrases: Set<[UInt8]> = Set(
    [
      "mot de passe", "clave de acceso", "palavra passe", "code pin", "kod pin", "kata sandi",
      "mật khẩu", "pass phrase", "pass code", "pin code", "api key", "access token", "private key",
      "secret key", "client secret", "security code", "card number", "numéro de carte",
    ].map { Array($0.utf8) })

  /// The last words of ``phrases``.
  static let phraseEnds: [[UInt8]] = Array(
    Set(phrases.compactMap { $0.split(separator: UInt8(ascii: " ")).last.map(Array.init) }))

  /// Returns the end of the value at an index, if it is the name of a secret.
  private static func secretName(_ text: [UInt8], _ value: Int) -> Int? {
    let first = end(of: text, from: value, while: { $0.isQuote })
    let end = nameEnd(text, first)
    return end > first && isSecretName(text[first..<end]) ? end : nil
  }

  /// Finds the contents of XML elements whose name is that of a secret, and the value after such a
  /// name in a property list.
  private static func elements(_ text: [UInt8], _ found: Found) {
    var start = 0
    var isNamed = false
    while let tag = index(of: "</", in: text, from: start) {
      let name = tag + 2
      let nameEnd = end(of: text, from: name) { $0.isNamePart || $0 == UInt8(ascii: ":") }
      defer { start = max(nameEnd, tag + 2) }
      // The content begins after the tag before it.
      guard let open = text[start..<tag].lastIndex(of: UInt8(ascii: ">")) else { continue }
      let content = open + 1..<tag
      let local = text[name..<nameEnd].split(separator: UInt8(ascii: ":")).last ?? []
      if isSecretName(local) || isNamed, !isNothing(text[content]) { found(content) }
      isNamed = local.elementsEqual("key".utf8) && isSecretName(text[content])
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
}
