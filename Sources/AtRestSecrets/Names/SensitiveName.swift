/// The kind of value that a name announces, such as `user.password`, `accessToken` or
/// `JSESSIONID`.
///
/// The last word that says what the value is decides: `lastPassword` is a password, and
/// `passwordLength` is a length.
public struct SensitiveName: Hashable, Sendable {
  public let kind: SecretKind
  public let strength: Strength
  /// True if the name is a plural, which may also name a list of something else, such as the
  /// domains that have passwords.
  public let isPlural: Bool

  init(kind: SecretKind, strength: Strength = .clear, isPlural: Bool = false) {
    self.kind = kind
    self.strength = strength
    self.isPlural = isPlural
  }

  public enum Strength: Sendable {
    /// The name has one meaning.
    case clear
    /// The name has other meanings in other company: `pin`.
    case weak
    /// Only the value can show that it is sensitive: `session`, `cookie`, `lat`.
    case vague
  }
}

extension SensitiveName {
  /// The maximum length of a key, in bytes of UTF-8. Longer texts are not names.
  static let longest = 80

  /// Judges the key of a value in a property list, a table, a document or a header. The key may be
  /// a path, of which the last step decides.
  ///
  /// Returns nil if the key does not show that the value is sensitive.
  public init?(key: String) {
    guard key.utf8.count <= Self.longest else { return nil }
    let words = Self.words(ofKey: key)
    guard !Self.isQuestion(words) else { return nil }
    self.init(words: words)
  }

  /// Judges words, in lower case.
  init?(words all: ArraySlice<String>) {
    let words = Self.trimmed(all)
    if let found = Self.judge(all) ?? Self.judge(words) {
      self = found
    } else if let found = Self.judge(Self.trimmed(words, and: Vocabulary.measurementEndings)),
      found.kind == .health
    {
      self = found
    } else if let end = words.firstIndex(where: Vocabulary.prepositions.contains),
      end > words.startIndex, let found = Self.judge(Self.trimmed(words[..<end])),
      found.strength == .clear
    {
      self = found
    } else {
      return nil
    }
  }

  /// Removes the words at the end that only describe the form of a value.
  private static func trimmed(
    _ words: ArraySlice<String>, and endings: Set<String> = []
  ) -> ArraySlice<String> {
    var words = words
    while words.count > 1, let last = words.last,
      Vocabulary.neutralEndings.contains(last) || endings.contains(last)
        || last.allSatisfy(\.isNumber)
    {
      words.removeLast()
    }
    return words
  }

  private static func judge(_ words: ArraySlice<String>) -> SensitiveName? {
    guard let last = words.last, let first = words.first,
      words.count == 1 || !Vocabulary.leadingControls.contains(first),
      // `kSecClassGenericPassword` is a constant of the Security framework.
      !words.starts(with: ["k", "sec"])
    else { return nil }
    for length in [3, 2] where words.count >= length {
      let phrase = words.suffix(length).joined(separator: " ")
      if Vocabulary.harmlessPhrases.contains(phrase) { return nil }
      guard let kind = Vocabulary.phrases[phrase] else { continue }
      return isOther(kind, after: words.dropLast(length)) ? nil : .init(kind: kind)
    }
    let before = words.dropLast()
    if let kind = Vocabulary.words[last] {
      let isPurpose =
        last.hasPrefix("token") && before.last.map(Vocabulary.purposes.contains) == true
      if isPurpose || isOther(kind, after: before) { return nil }
      let isPlural = last.hasSuffix("s") && Vocabulary.words["\(last.dropLast())"] != nil
      return .init(kind: kind, isPlural: isPlural)
    }
    if before.contains(where: Vocabulary.harmless.contains) { return nil }
    if let kind = Vocabulary.weakWords[last] { return .init(kind: kind, strength: .weak) }
    if let kind = Vocabulary.vagueWords[last] {
      let isClear = words.count == 1 && Vocabulary.wordsAlone.contains(last)
      return .init(kind: kind, strength: isClear ? .weak : .vague)
    }
    // `userpassword` is long enough to be sure of, and `mypin` is not.
    guard let kind = kind(ofCompound: last), !isOther(kind, after: before) else { return nil }
    return .init(kind: kind)
  }

  private static func kind(ofCompound word: String) -> SecretKind? {
    guard word.utf8.count >= 4 else { return nil }
    // Core Data's columns are in capitals, behind a `Z`.
    if word.first == "z" {
      let column = String(word.dropFirst())
      if let kind = Vocabulary.joinedPhrases[column] ?? Vocabulary.words[column] { return kind }
    }
    guard word.utf8.count >= 8,
      let (ending, kind) = Vocabulary.endings.first(where: {
        word.utf8.suffix($0.0.utf8.count).elementsEqual($0.0.utf8)
      })
    else { return Vocabulary.joinedPhrases[word] }
    let before = word.dropLast(ending.count)
    return Vocabulary.joinedTransformations.contains { before.hasSuffix($0) } ? nil : kind
  }

  /// Returns true if the words before the one that decides say that the value is not of this kind
  /// after all.
  private static func isOther(_ kind: SecretKind, after words: ArraySlice<String>) -> Bool {
    words.contains { word in
      // `encKey` is an encryption key, and `encPrivateKey` a private key that is encrypted.
      Vocabulary.transformations.contains(word) || word == "enc"
        || kind == .token && Vocabulary.measurements.contains(word)
        || kind == .health && word != "last" && Vocabulary.harmless.contains(word)
    }
  }

  /// Returns true for a name that asks or does something instead of being a value: `hasPassword`.
  static func isQuestion(_ words: ArraySlice<String>) -> Bool {
    guard words.count > 1, let first = words.first, Vocabulary.questions.contains(first) else {
      return false
    }
    // `openAIKey` is a key of OpenAI.
    if first == "open", words.dropFirst().first?.hasPrefix("ai") == true { return false }
    // `resetPasswordToken` is a token.
    return !(words.count > 2 && words.last == "token" && Vocabulary.errands.contains(first))
  }

  /// The words of the last step of a path of keys, such as `com.example.user/password[0]`. If that
  /// step alone says nothing, as in `card.number`, the one before it belongs to it.
  static func words(ofKey key: String) -> ArraySlice<String> {
    let steps = key.utf8.split { [0x2E, 0x2F, 0x3A, 0x5B, 0x5D].contains($0) }
      .map { Words.split(String(Substring($0))) }
      .filter { $0.contains { $0.contains(where: \.isLetter) } && $0.first != "v" }
    guard let last = steps.last else { return Words.split(key)[...] }
    guard steps.count > 1, last.count == 1, let before = steps.dropLast().last?.last,
      Vocabulary.phrases["\(before) \(last[0])"] != nil
    else { return last[...] }
    return [before, last[0]]
  }
}
