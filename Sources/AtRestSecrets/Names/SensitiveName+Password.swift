extension SensitiveName {
  /// Returns the meaning of a name that announces a password, passcode, PIN or one-time code, such
  /// as `userPassword`, `login-pw` or `Passwort`, and nil for any other name.
  ///
  /// Names that only mention one, such as `passwordHint` and `pinned`, announce none. The name may be
  /// a path, of which any step may announce a password: `password/eva`. Thread-safe.
  ///
  /// - Parameter name: The name of a value in Unicode's normal form C. Of a name longer than 80 bytes,
  ///   only the last 80 are judged.
  public static func ofPassword(_ name: String) -> SensitiveName? {
    var name = name
    guard name.withUTF8(mayBeSensitive) else { return nil }
    if name.utf8.count > longest {
      // A character that the cut divides is left out.
      name = String(decoding: name.utf8.suffix(longest).drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    }
    var steps = name.utf8.split { separators.contains($0) }
      .map { Words.split(String(Substring($0)))[...] }
    var harmless = false
    while let step = steps.popLast() {
      // What follows may say that the value is about a password: `password.length`.
      if !harmless, let found = ofPassword(words: step) { return found }
      harmless = harmless || step.contains(where: isAbout)
    }
    return nil
  }

  /// `.`, `/`, `:`, `@`, `[` and `]`.
  private static let separators: Set<UInt8> = [0x2E, 0x2F, 0x3A, 0x40, 0x5B, 0x5D]

  private static func ofPassword(words all: ArraySlice<String>) -> SensitiveName? {
    var words = all
    // An action that stores a text: `savePassword`.
    if words.count > 1, let first = words.first, Vocabulary.passwordActions.contains(first) {
      words.removeFirst()
    }
    // A language in which the word comes first and its qualifier follows: `contraseñaNueva`.
    while words.count > 1, let last = words.last,
      Vocabulary.passwordQualifiers.contains(last) || last.allSatisfy(\.isNumber)
    {
      words.removeLast()
    }
    guard let last = words.last, !isQuestion(words) else { return nil }
    let before = words.dropLast()
    let isOther = before.contains { Vocabulary.transformations.contains($0) }
    if last == "pin" || last == "pins" && !before.isEmpty, !isOther {
      return before.contains(where: Vocabulary.pinContexts.contains)
        ? nil : SensitiveName(kind: .password, strength: .weak)
    }
    if let context = Vocabulary.otherPasswordWords[last], before.contains(where: context.contains) {
      return nil
    }
    let phrases = [2, 3, 4].map { words.suffix($0).joined(separator: " ") }
    guard !phrases.contains(where: Vocabulary.harmlessPasswordPhrases.contains) else { return nil }
    if Vocabulary.passwordWords.contains(last), !isOther { return SensitiveName(kind: .password) }
    guard let found = SensitiveName(words: words), found.kind == .password,
      found.strength != .vague
    else { return nil }
    return found
  }

  /// Returns true for a word of a name that is about a password and holds none.
  private static func isAbout(_ word: String) -> Bool {
    Vocabulary.harmless.contains(word) || Vocabulary.transformations.contains(word)
      || Vocabulary.measurements.contains(word) || Vocabulary.questions.contains(word)
  }
}
