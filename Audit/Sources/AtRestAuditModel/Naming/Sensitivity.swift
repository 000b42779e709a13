/// The kind of a sensitive value, determined by its name.
public enum Sensitivity: String, CaseIterable, Codable, Hashable, Sendable {
  /// A password, passcode, PIN or answer to a security question.
  case credential
  /// A token, session or API secret.
  case token
  /// A cryptographic key or seed.
  case key
  /// A payment card or bank account.
  case payment
  /// A number by which a state or an insurer identifies a person.
  case identity
  /// A way to reach or describe a person.
  case personal
  case health
  case location

  /// The noun for messages.
  package var noun: String {
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

  /// True if the value gives access to something, so that anyone who has it can act as its owner.
  package var isSecret: Bool {
    switch self {
    case .credential, .token, .key: true
    default: false
    }
  }
}

extension Sensitivity {
  /// Returns the kind of a value from a name such as `password`, `userPIN`, `card_number` or
  /// `getAccessToken`, or nil if the name does not show that the value is sensitive.
  ///
  /// The last words decide, because they say what a thing is: a `passwordLength` is a length.
  package static func ofName(_ name: String) -> Sensitivity? {
    var words = Words.split(name)
    guard let first = words.first else { return nil }
    if words.count > 1, Vocabulary.questions.contains(first) { return nil }
    if words.count > 1, Vocabulary.readers.contains(first) { words.removeFirst() }
    return ofWords(words[...])
  }

  /// Returns true for the name of a token by which a service reaches a device. It lets nobody in.
  package static func isOfDevice(_ name: String) -> Bool {
    let words = Words.split(name)
    return zip(words, words.dropFirst()).contains { $0 == "remote" && $1.hasPrefix("notification") }
      || words.contains { ["push", "apns", "apn", "fcm", "device", "voip"].contains($0) }
  }

  /// Returns the kind of the value that is stored under a key such as `PIN`, `user.password` or
  /// `com.example.access_token`, or nil if the key does not show that the value is sensitive.
  package static func ofKey(_ key: String) -> Sensitivity? {
    guard key.utf8.count <= 80 else { return nil }
    let last =
      key.utf8.split { [UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":")].contains($0) }
      .last.flatMap { String($0) } ?? key
    if let found = ofName(last) { return found }
    let words = Words.split(last)
    // In the name of a function, `login` is an action. In a key, it is not.
    if words.count > 1, words.first == "login", words.last != "session" {
      return ofWords(words.dropFirst())
    }
    if words == ["session"] || words == ["auth"] { return .token }
    return words.suffix(2) == ["user", "session"] || words.suffix(2) == ["login", "session"]
      ? .token : nil
  }

  /// Returns the kind of a text field from a name such as `passwordTextField` or `txtCVV`, or nil
  /// if the name does not show that the field is for sensitive values.
  package static func ofField(_ name: String) -> Sensitivity? {
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

  /// Returns true if a name is the name of a text field.
  package static func isField(_ name: String) -> Bool {
    let words = Words.split(name)
    guard let last = words.last else { return false }
    return Vocabulary.fields.contains(last) || words.first.map(Vocabulary.fields.contains) == true
  }

  /// Returns the kind of sensitive data that a placeholder, a label or a table header asks for, or
  /// nil if the text asks for none.
  package static func ofCaption(_ text: String) -> Sensitivity? {
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
    // These are words without a separator, such as `userpassword`. `mypin` is too short to decide.
    if last.utf8.count >= 8 {
      for (ending, found) in Vocabulary.endings where last.hasSuffix(ending) { return found }
    }
    return nil
  }
}

/// Splits a name into its words, in lower case.
package enum Words {
  /// Returns the words of a name: `creditCVVTextField`, `txt_pwd` and `kAPIKey2` give
  /// `credit cvv text field`, `txt pwd` and `k api key 2`.
  package static func split(_ name: String) -> [String] {
    let bytes = Array(name.utf8)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      return ranges(bytes.map(Kind.init)).map { range in
        String(decoding: bytes[range].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
      }
    }
    let scalars = Array(name.unicodeScalars)
    return ranges(scalars.map(Kind.init)).map { range in
      scalars[range].reduce(into: "") { $0 += $1.properties.lowercaseMapping }
    }
  }

  private static func ranges(_ kinds: [Kind]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var previous = Kind.other
    for (index, kind) in kinds.enumerated() {
      let begins =
        switch (previous, kind) {
        case (_, .other), (.other, _): true
        case (.lower, .upper), (.lower, .digit), (.upper, .digit), (.digit, .upper),
          (.digit, .lower):
          true
        case (.upper, .upper): index + 1 < kinds.count && kinds[index + 1] == .lower
        default: false
        }
      if begins {
        if let start { ranges.append(start..<index) }
        start = kind == .other ? nil : index
      }
      previous = kind
    }
    if let start { ranges.append(start..<kinds.count) }
    return ranges
  }

  private enum Kind {
    case lower, upper, digit, other

    init(_ byte: UInt8) {
      self =
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .lower
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "0")...UInt8(ascii: "9"): .digit
        default: .other
        }
    }

    init(_ scalar: Unicode.Scalar) {
      if scalar.isASCII {
        self.init(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        self =
          !scalar.properties.isAlphabetic
          ? .other : scalar.properties.isUppercase ? .upper : .lower
      }
    }
  }
}
