/// The kind of a sensitive value, determined by its name.
public enum SensitiveKind: String, CaseIterable, Codable, Hashable, Sendable {
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

  /// The noun for messages, with its article.
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

  /// True if the value gives access to something, so that anyone who has it can act as its owner.
  public var isSecret: Bool {
    switch self {
    case .credential, .token, .key: true
    default: false
    }
  }
}

extension SensitiveKind {
  /// Returns the kind of a value from a name such as `password`, `userPIN`, `card_number` or
  /// `getAccessToken`, or nil if the name does not show that the value is sensitive.
  ///
  /// The last words decide, because they say what a thing is: a `passwordLength` is a length.
  public static func ofName(_ name: String) -> SensitiveKind? {
    var words = Words.split(name)[...]
    guard let first = words.first else { return nil }
    if SensitiveName.isQuestion(words) { return nil }
    if words.count > 1, Vocabulary.readers.contains(first) { words.removeFirst() }
    return ofWords(words)
  }

  /// Returns true for the name of a token by which a service reaches a device. It lets nobody in.
  public static func isOfDevice(_ name: String) -> Bool {
    let words = Words.split(name)
    return zip(words, words.dropFirst()).contains { $0 == "remote" && $1.hasPrefix("notification") }
      || words.contains { ["push", "apns", "apn", "fcm", "device", "voip"].contains($0) }
  }

  /// Returns the kind of the value that is stored under a key such as `PIN`, `user.password` or
  /// `com.example.access_token`, or nil if the key does not show that the value is sensitive.
  public static func ofKey(_ key: String) -> SensitiveKind? {
    guard key.utf8.count <= SensitiveName.longest else { return nil }
    let words = SensitiveName.words(ofKey: key)
    guard !SensitiveName.isQuestion(words) else { return nil }
    if let found = ofWords(words) { return found }
    let sessions = [["session"], ["auth"], ["user", "session"], ["login", "session"]]
    return sessions.contains { $0.count == min(words.count, 2) && words.suffix(2) == $0[...] }
      ? .token : nil
  }

  /// Returns the kind of a text field from a name such as `passwordTextField` or `txtCVV`, or nil
  /// if the name does not show that the field is for sensitive values.
  public static func ofField(_ name: String) -> SensitiveKind? {
    var words = Words.split(name)[...]
    while let last = words.last, Vocabulary.controls.contains(last) { words.removeLast() }
    while let first = words.first, Vocabulary.controls.contains(first) { words.removeFirst() }
    // What helps to remember a password, and what everybody may know, is no secret.
    if words.contains(where: ["hint", "hints", "tip", "tips", "public"].contains) { return nil }
    if let last = words.last, words.count <= 2, let found = Vocabulary.fieldEndings[last] {
      return found
    }
    if let first = words.first, words.count > 1, Vocabulary.questions.contains(first),
      !Vocabulary.fieldQualifiers.contains(first)
    {
      return nil
    }
    return ofWords(words)
  }

  /// Returns true if a name is the name of a text field.
  public static func isField(_ name: String) -> Bool {
    let words = Words.split(name)
    guard let last = words.last else { return false }
    return Vocabulary.fields.contains(last) || words.first.map(Vocabulary.fields.contains) == true
  }

  /// Returns the kind of sensitive data that a placeholder, a label or a table header asks for, or
  /// nil if the text asks for none.
  public static func ofCaption(_ text: String) -> SensitiveKind? {
    // A text with a path shows the form of what is typed: `//hard/soft///password`.
    guard text.utf8.count <= 120, !text.contains("//") else { return nil }
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

  private static func ofWords(_ words: ArraySlice<String>) -> SensitiveKind? {
    switch OwnNames.current?.verdict(words) {
    case .harmless: return nil
    case .sensitive(let own): return own
    case nil: break
    }
    // In code, its value beside the code that checks it is worth a look.
    if words.count > 1, words.contains("csrf") || words.contains("xsrf"), words.contains("token") {
      return .token
    }
    guard let name = SensitiveName(words: words), name.strength != .vague else { return nil }
    return name.kind.sensitivity
  }
}
