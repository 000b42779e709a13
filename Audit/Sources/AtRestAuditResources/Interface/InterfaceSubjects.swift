import AtRestAuditModel

/// Determines what a field is for from everything that names it.
enum InterfaceSubjects {
  /// Returns what a field is for, or nil if it is for nothing sensitive. Names by developers take
  /// precedence over texts for people, which are sometimes explanations.
  static func subject(
    outlets: [String], contentType: String?, placeholder: String?, caption: String?,
    userLabel: String?, identifiers: [String], isSecure: Bool, customClass: String?
  ) -> InterfaceField.Subject? {
    typealias Subject = InterfaceField.Subject
    for outlet in outlets {
      if let found = SensitiveKind.ofField(outlet), !isOpenToken(outlet, found) {
        return Subject(found, .outlet, outlet)
      }
    }
    // The content type of one-time codes is also set on other fields, to keep AutoFill away.
    if let contentType, let found = sensitivity(ofContentType: contentType) {
      return Subject(found, .contentType, contentType)
    }
    let names = (outlets + [placeholder ?? ""]).flatMap(Words.split)
    let isOther = names.contains(where: Vocabulary.plainSubjects.contains)
    let captions: [(String?, Subject.Evidence)] = [
      (placeholder, .placeholder), (userLabel, .userLabel),
      (isOther || caption.map(isExplanation) == true ? nil : caption, .caption),
    ]
    for (text, evidence) in captions {
      // Code replaces the parts in braces.
      if let text, !text.contains("{"), let found = SensitiveKind.ofCaption(text),
        !isOpenToken(text, found)
      {
        return Subject(found, evidence, text)
      }
    }
    for identifier in identifiers {
      if let found = SensitiveKind.ofField(identifier) ?? SensitiveKind.ofCaption(identifier) {
        return Subject(found, .identifier, identifier)
      }
    }
    if let customClass, let found = SensitiveKind.ofField(withoutPrefix(customClass)) {
      return Subject(found, .customClass, customClass)
    }
    return isSecure ? Subject(.credential, .secureEntry, "secureTextEntry") : nil
  }

  /// Returns true for a text beside a field that is too long to be the name of what one types.
  private static func isExplanation(_ caption: String) -> Bool { Words.split(caption).count > 12 }

  /// Returns true if a name or caption is of a token and says no more. People type the name of a coin, a
  /// seat or a stop, and seldom the token of a session.
  private static func isOpenToken(_ text: String, _ found: SensitiveKind) -> Bool {
    guard found == .token else { return false }
    let words = Words.split(text).filter {
      !Vocabulary.controls.contains($0) && !Vocabulary.otherThings.contains($0) && $0 != "symbol"
    }
    // The supply of a token is no token. The last word of a name says what it is.
    return WeakNames.contains(words)
      || words.count < 4 && words.last.map { !$0.hasPrefix("token") && $0 != "jwt" } == true
  }

  /// Returns the name of a class without the letters by which a project marks its own: `PWTextField`.
  private static func withoutPrefix(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase }
    guard (3...4).contains(capitals.count) else { return name }
    return String(name.dropFirst(capitals.count - 1))
  }

  private static func sensitivity(ofContentType type: String) -> SensitiveKind? {
    switch type {
    case "password", "new-password", "newPassword": .credential
    case "cc-number", "creditCardNumber", "credit-card-number", "cc-csc", "creditCardSecurityCode":
      .payment
    case "email", "emailAddress", "tel", "telephoneNumber", "street-address", "fullStreetAddress",
      "birthdate":
      .personal
    default: nil
    }
  }
}
