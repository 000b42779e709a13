import Synchronization

/// Determines the kind of a value by its name, such as `user.password`, `accessToken` or
/// `JSESSIONID`.
enum SecretName {
  struct Verdict {
    let kind: Detection.Kind
    /// True if the name is unambiguous.
    var isStrong = true
    /// True if the name is a plural, which may also name a list of something else, such as the
    /// domains that have passwords.
    var isPlural = false
  }

  private static let longest = 80

  /// A cache of verdicts, because there are few names and many values.
  private static let known = Mutex<[String: Verdict?]>([:])
  private static let knownLimit = 10_000

  static func verdict(_ name: some Collection<UInt8>) -> Verdict? {
    guard !name.isEmpty, name.count <= longest else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    if let verdict = known.withLock({ $0[text] }) { return verdict }
    let verdict = judge(text)
    known.withLock { known in
      if known.count >= knownLimit { known.removeAll(keepingCapacity: true) }
      known[text] = verdict
    }
    return verdict
  }

  private static func judge(_ text: String) -> Verdict? {
    let last =
      text.split { "./:[]".contains($0) }.last { $0.contains { $0.isLetter } }.map(String.init)
      ?? text
    var words = split(last)
    while words.count > 1, let ending = words.last,
      Self.neutralEndings.contains(ending) || ending.allSatisfy(\.isNumber)
    {
      words.removeLast()
    }
    guard let word = words.last else { return nil }
    if words.count > 1, let first = words.first, Self.questions.contains(first) { return nil }
    for length in [3, 2] where words.count >= length {
      guard let kind = Self.phrases[words.suffix(length).joined(separator: " ")] else { continue }
      return isOther(kind, after: words.dropLast(length)) ? nil : Verdict(kind: kind)
    }
    if let kind = Self.words[word] {
      let before = words.dropLast()
      let isPurpose = word.hasPrefix("token") && before.last.map(Self.purposes.contains) == true
      if isPurpose || isOther(kind, after: before) { return nil }
      return Verdict(
        kind: kind, isPlural: word.hasSuffix("s") && Self.words["\(word.dropLast())"] != nil)
    }
    if words.contains(where: Self.harmless.contains) { return nil }
    if let kind = Self.weakWords[word] { return Verdict(kind: kind, isStrong: false) }
    let whole = words.joined()
    if whole.utf8.count >= 6 {
      for (ending, kind) in Self.endings where whole.hasSuffix(ending) {
        return Verdict(kind: kind)
      }
    }
    return nil
  }

  /// Returns true if the words before the one that decides the kind say that the value is not of
  /// this kind after all.
  private static func isOther(_ kind: Detection.Kind, after words: ArraySlice<String>) -> Bool {
    words.contains { word in
      transformations.contains(word)
        || kind == .token && measurements.contains(word)
        || kind == .health && harmless.contains(word)
    }
  }

  /// Returns true if values of this name contain an at sign without being personal addresses.
  static func isHandle(_ name: String) -> Bool {
    split(name).last.map(Self.handles.contains) == true
  }

  /// Returns true if the name is that of a number other than a card's, such as `orderId`.
  static func isNumbering(_ name: String) -> Bool {
    split(name).contains(where: Self.numberings.contains)
  }

  /// Splits a name: `userPIN2`, `X-Auth-Token` and `kAPIKey` become `user pin 2`, `x auth token`
  /// and `k api key`.
  private static func split(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    let scalars = Array(name.unicodeScalars)
    func isUpper(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isUppercase }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 0x30 < 10 }
    for (index, scalar) in scalars.enumerated() {
      let isWord = scalar.properties.isAlphabetic || isDigit(scalar)
      if isWord, let before = index > 0 ? scalars[index - 1] : nil, !word.isEmpty {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        let begins =
          isUpper(scalar) && !isUpper(before)
          || isUpper(scalar) && isUpper(before) && next.map { $0.properties.isLowercase } == true
          || isDigit(scalar) != isDigit(before)
        if begins {
          words.append(word)
          word = ""
        }
      }
      if isWord {
        word += scalar.properties.lowercaseMapping
      } else if !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}
