/// What makes a value sensitive, told by what it is called.
public enum Sensitivity: String, CaseIterable, Codable, Hashable, Sendable {
  /// A password, passcode, PIN or answer to a security question.
  case credential
  /// A token, session or API secret.
  case token
  /// A cryptographic key or seed.
  case key
  /// A payment card or bank account.
  case payment
  /// A number that a state or an insurer knows a person by.
  case identity
  /// A way to reach or describe a person.
  case personal
  case health
  case location

  /// As it is called in a message.
  public var noun: String {
    switch self {
    case .credential: "a credential"
    case .token: "a token"
    case .key: "a key"
    case .payment: "payment data"
    case .identity: "an identity number"
    case .personal: "personal data"
    case .health: "health data"
    case .location: "a location"
    }
  }

  /// Whether it opens something, so that who has it is who it belongs to.
  public var isSecret: Bool {
    switch self {
    case .credential, .token, .key: true
    default: false
    }
  }
}

extension Sensitivity {
  /// What a value of this name is: `password`, `userPIN`, `card_number`, `getAccessToken`.
  ///
  /// The last words decide, for they say what a thing is: a `passwordLength` is a length.
  public static func ofName(_ name: String) -> Sensitivity? {
    var words = Words.split(name)
    guard let first = words.first else { return nil }
    if words.count > 1, Vocabulary.questions.contains(first) { return nil }
    if words.count > 1, Vocabulary.readers.contains(first) { words.removeFirst() }
    return ofWords(words[...])
  }

  /// What is kept under this key: `PIN`, `user.password`, `com.example.access_token`.
  public static func ofKey(_ key: String) -> Sensitivity? {
    guard key.utf8.count <= 80 else { return nil }
    let last = key.split { $0 == "." || $0 == "/" || $0 == ":" }.last.map(String.init) ?? key
    if let found = ofName(last) { return found }
    let words = Words.split(last)
    // A function may log in with a password; a key is never a question.
    if words.count > 1, words.first == "login", words.last != "session" {
      return ofWords(words.dropFirst())
    }
    if words == ["session"] || words == ["auth"] { return .token }
    return words.suffix(2) == ["user", "session"] || words.suffix(2) == ["login", "session"]
      ? .token : nil
  }

  /// What a text field of this name is for: `passwordTextField`, `txtCVV`.
  public static func ofField(_ name: String) -> Sensitivity? {
    var words = Words.split(name)[...]
    while let last = words.last, Vocabulary.controls.contains(last) { words.removeLast() }
    while let first = words.first, Vocabulary.controls.contains(first) { words.removeFirst() }
    if let last = words.last, Vocabulary.fieldEndings[last] != nil, words.count <= 2 {
      return Vocabulary.fieldEndings[last]
    }
    if let first = words.first, words.count > 1, Vocabulary.questions.contains(first),
      !Vocabulary.fieldQualifiers.contains(first)
    {
      return nil
    }
    return ofWords(words)
  }

  /// Whether a name is that of a text field.
  public static func isField(_ name: String) -> Bool {
    let words = Words.split(name)
    guard let last = words.last else { return false }
    return Vocabulary.fields.contains(last) || words.first.map(Vocabulary.fields.contains) == true
  }

  /// What a person is asked for by this text: a placeholder, a label, a header of a table.
  public static func ofCaption(_ text: String) -> Sensitivity? {
    guard text.utf8.count <= 120 else { return nil }
    let lower = text.lowercased()
    if Vocabulary.securityQuestions.contains(where: lower.contains) { return .credential }
    let words = Words.split(lower)
    if words.contains(where: Vocabulary.captionsThatAskNothing.contains) { return nil }
    for end in words.indices.reversed() {
      if end + 1 < words.count, Vocabulary.captionNouns.contains(words[end + 1]) { continue }
      if let found = ofWords(words[...end]) { return found }
    }
    return nil
  }

  private static func ofWords(_ all: ArraySlice<String>) -> Sensitivity? {
    switch OwnNames.current?.verdict(all) {
    case .harmless: return nil
    case .sensitive(let own): return own
    case nil: break
    }
    var words = all
    while words.count > 1, let last = words.last,
      Vocabulary.neutralEndings.contains(last) || last.allSatisfy(\.isNumber)
    {
      words.removeLast()
    }
    guard let last = words.last else { return nil }
    for length in [3, 2] where words.count >= length {
      let phrase = words.suffix(length).joined(separator: " ")
      if Vocabulary.harmlessPhrases.contains(phrase) { return nil }
      if let found = Vocabulary.phrases[phrase] {
        return words.dropLast(length).contains(where: Vocabulary.harmless.contains) ? nil : found
      }
    }
    if words.contains(where: Vocabulary.harmless.contains) { return nil }
    if Vocabulary.wordsAlone.contains(last), words.count > 1 { return nil }
    if let found = Vocabulary.words[last] { return found }
    // Words written together: `userpassword`, `mypin` is too short to tell.
    if last.utf8.count >= 8 {
      for (ending, found) in Vocabulary.endings where last.hasSuffix(ending) { return found }
    }
    return nil
  }
}

/// Splits a name into its words, in lower case.
enum Words {
  /// `creditCVVTextField`, `txt_pwd` and `kAPIKey2` are `credit cvv text field`, `txt pwd` and
  /// `k api key 2`.
  static func split(_ name: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previous = Kind.other
    let characters = Array(name.unicodeScalars)
    for (index, scalar) in characters.enumerated() {
      let kind = Kind(scalar)
      let next = index + 1 < characters.count ? Kind(characters[index + 1]) : .other
      let begins =
        switch (previous, kind) {
        case (_, .other): true
        case (.lower, .upper), (.lower, .digit), (.upper, .digit), (.digit, .upper),
          (.digit, .lower):
          true
        case (.upper, .upper): next == .lower
        default: false
        }
      if begins, !word.isEmpty {
        words.append(word)
        word = ""
      }
      if kind != .other { word += scalar.properties.lowercaseMapping }
      previous = kind
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private enum Kind {
    case lower, upper, digit, other

    init(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "a"..."z": self = .lower
      case "A"..."Z": self = .upper
      case "0"..."9": self = .digit
      default:
        self =
          scalar.isASCII || !scalar.properties.isAlphabetic
          ? .other : scalar.properties.isUppercase ? .upper : .lower
      }
    }
  }
}
