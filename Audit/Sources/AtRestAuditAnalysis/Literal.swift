import AtRestAuditModel

/// Distinguishes secrets in string literals from the many strings that look like secrets.
package enum Literal {
  /// Returns true if a string is an identifier: a key of a dictionary, a cookie, a notification, a
  /// segue.
  package static func isIdentifier(_ text: String, named name: String) -> Bool {
    let own = letters(name)
    let other = letters(text)
    if other.isEmpty { return true }
    if own == other { return true }
    // `kPasswordKey = "password"`, `YapKeyPassword = "YapKeyPassword"`, `tokenName = "x-token"`
    if own.hasSuffix(other) || other.hasSuffix(own) && own.count > 2 || own.hasPrefix(other) {
      return true
    }
    if own.first == "k", own.dropFirst() == other { return true }
    return text.contains(".") && !text.contains(" ") && text.first?.isLetter == true
      && text.split(separator: ".").count > 2
      && text.allSatisfy {
        $0.isLetter || $0 == "." || $0 == "_" || $0 == "-" || $0.isNumber
      } && known(text)?.kind != .webToken
  }

  /// Returns true if a string is the name of a token, such as a header or a key of preferences.
  /// Tokens themselves contain digits.
  package static func isNameOfToken(_ text: String) -> Bool {
    guard text.allSatisfy({ $0.isLetter || $0 == "-" || $0 == "_" || $0 == "." }) else {
      return false
    }
    let words = Words.split(text)
    return words.count > 1
      && ["key", "token", "header", "secret", "id", "name", "session"].contains(words.last)
  }

  /// Returns true if a string is the name of something rather than a secret: words without digits
  /// that repeat a word of the constant's name, or that name a secret themselves, such as
  /// `notifications-private-key`. Tokens and keys are not made of words at all.
  package static func isName(_ text: String, named name: String, _ sensitivity: SensitiveKind)
    -> Bool
  {
    guard isNameLike(text) else { return false }
    if SensitiveKind.ofKey(text) != nil { return true }
    let words = Words.split(text).filter { !$0.allSatisfy(\.isNumber) }
    if words.count > 1, sensitivity == .token || sensitivity == .key { return true }
    // `SecretPass` may be a password. Names begin with a small letter, or have separators.
    guard text.first?.isLowercase == true || text.contains(where: { "_-.:/ ".contains($0) }) else {
      return false
    }
    let own = Set(Words.split(name)).subtracting(["k", "my", "the", "s"])
    return words.contains(where: own.contains)
  }

  /// Returns true if a string has the form of a name: words of letters, between which there may be
  /// numbers. A word of several, or in capitals, may end in two digits: `user.password2`.
  package static func isNameLike(_ text: String) -> Bool {
    let parts = text.split { "_-.:/ ".contains($0) }
    return parts.allSatisfy { part in
      if part.utf8.count < 4, part.allSatisfy(\.isNumber) { return true }
      let digits = part.reversed().prefix(while: \.isNumber).count
      let letters = part.dropLast(digits)
      return digits <= (parts.count > 1 || letters.allSatisfy(\.isUppercase) ? 2 : 0)
        && letters.allSatisfy { $0.isLetter && $0.isASCII }
    }
  }

  /// Returns true for a type of media: `application/json`.
  private static func isMediaType(_ text: String) -> Bool {
    ["application", "text", "image", "audio", "video", "font", "model", "multipart"].contains {
      text.hasPrefix($0 + "/")
    }
  }

  /// Returns true if a string is a regular expression for secrets, or a format for them.
  static func isPattern(_ text: String) -> Bool {
    text.hasPrefix("^") && text.contains { "[(\\$".contains($0) } || text.contains("[0-9]")
      || text.contains("\\d")
  }

  private static func letters(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter || $0.isNumber })
  }

  /// Returns true if a string cannot be a secret, whatever the value is called: it is empty, a
  /// placeholder, a format, a URL or prose.
  package static func isHarmless(_ text: String) -> Bool {
    let trimmed = text.trimmingPrefix { $0 == " " || $0 == "\n" }
    if trimmed.isEmpty { return true }
    if text.contains("://") || text.hasPrefix("/") || text.hasPrefix("$(") || text.hasPrefix("${")
      || text.hasPrefix("<#") || text.hasPrefix("%") || text.contains("%@") || text.contains("{{")
    {
      return true
    }
    if text.allSatisfy({ $0 == text.first }) || isPattern(text) || isMediaType(text) { return true }
    let lower = text.lowercased()
    if placeholders.contains(where: lower.contains) { return true }
    if captions.contains(lower) { return true }
    // Prose has more words than a passphrase, or is a sentence.
    let words = text.split { $0.isWhitespace }
    if words.count >= 3, text.contains(where: \.isLetter) {
      return words.count > 8 || words.contains { commonWords.contains($0.lowercased()) }
        || text.last == "." || text.last == "?" || text.last == "!" || text.last == ":"
    }
    return words.count == 2 && words.allSatisfy { $0.allSatisfy(\.isLetter) }
      && (SensitiveKind.ofCaption(text) != nil || words[0].first?.isUppercase == true)
  }

  /// Returns true if the service documents the value as public, or apps may contain it.
  package static func isPublic(_ text: String) -> Bool {
    TokenForm.isPublic(text, orRestricted: true) || isPublished(text)
  }

  /// Returns the secret in a string that is known by its form alone, or nil.
  package static func known(_ text: String) -> RecognisedSecret? {
    RecognisedSecret(in: text, by: .code)
  }

  private static let placeholders = [
    "your_", "your-", "yourapi", "your api", "your key", "insert", "placeholder", "changeme",
    "change_me", "replace", "xxxx", "todo", "example.com", "<your", "enter ", "not set",
    "undefined",
    "redacted", "••", "****", "dummy", "lorem", "nothing",
  ]

  private static let captions: Set<String> = [
    "password", "passcode", "pin", "token", "secret", "email", "phone", "key", "username", "login",
    "ok", "cancel", "none", "null", "nil", "true", "false", "yes", "no", "bearer", "basic",
    "unknown",
    "default", "n/a", "credential", "credentials", "user", "session", "authorization", "cvv",
  ]

  private static let commonWords: Set<String> = [
    "the", "a", "an", "is", "to", "of", "your", "you", "please", "for", "with", "and", "or", "not",
    "must", "in", "on", "it", "are", "be", "enter", "was", "der", "die", "das", "el", "la", "le",
  ]
}
