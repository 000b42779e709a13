import AtRestAuditModel
import AtRestAuditResources
import AtRestFormats

extension InterfaceFile {
  /// Returns one file of each set of translations: the base, the English one, or the first.
  static func withoutTranslations(_ files: [InterfaceFile]) -> [InterfaceFile] {
    var chosen: [String: String] = [:]
    for file in files {
      guard let (key, language) = language(of: file.path) else { continue }
      if chosen[key] == nil || language == "Base" || language == "en" && chosen[key] != "Base" {
        chosen[key] = language
      }
    }
    return files.filter { file in
      language(of: file.path).map { chosen[$0.key] == $0.language } ?? true
    }
  }

  private static func language(of path: String) -> (key: String, language: String)? {
    let folder = ResourcePath.folder(of: path)
    guard folder.hasSuffix(".lproj") else { return nil }
    let language = ResourcePath.name(of: folder).dropLast(6)
    return (
      ResourcePath.folder(of: folder) + "/" + ResourcePath.name(of: path), String(language)
    )
  }
}

extension ResourceChecks {
  /// Returns the findings for the fields of an interface file.
  package func findings(in file: InterfaceFile, code: InterfaceCode) -> [Finding] {
    let secured = Set(file.fields.filter(\.isSecure).flatMap(\.twinNames))
    return file.fields.flatMap { field -> [Finding] in
      guard field.isEditable, code.shows(field), let subject = field.subject else { return [] }
      // Nobody types what the app only shows.
      let isTyped = !code.onlyDisplays(field)
      let isSecure =
        field.isSecure || code.secures(field) || !secured.isDisjoint(with: field.twinNames)
      var findings: [Finding] = []
      if isTyped, !isSecure, Self.mustBeSecure(field, subject) {
        findings.append(
          Self.finding(
            .secureTextEntryMissing,
            // Shops show the code of a card while it is typed.
            field.isAppKit || subject.sensitivity == .payment ? .low : .medium, field,
            "The text field for \(Self.description(of: subject)) shows what is typed into it."))
      }
      if isTyped, !isSecure, field.isCorrected, field.usesKeyboard,
        !code.stopsCorrection(of: field),
        subject.evidence != .secureEntry
      {
        findings.append(
          Self.finding(
            // The field must hide its text, and then the keyboard learns nothing.
            .autocorrectionNotDisabled,
            // A keyboard that knows the digits of a code or a number tells little.
            subject.sensitivity.isOpen || !findings.isEmpty || Self.isOneTime(field, subject)
              || [.payment, .identity].contains(subject.sensitivity) ? .low : .medium, field,
            "The keyboard learns what is typed into the field for "
              + "\(Self.description(of: subject)), because autocorrection is "
              + "\(field.autocorrection == .yes ? "on" : "not off")."))
      }
      if let text = field.text, Self.isPrefilled(text, field, subject) {
        findings.append(
          Self.finding(
            .hardcodedCredential, .medium, field,
            "The field for \(Self.description(of: subject)) is prefilled.",
            secrets: field.writtenText))
      }
      return findings
    }
  }

  private static func finding(
    _ rule: RuleID, _ severity: Severity, _ field: InterfaceField, _ message: String,
    secrets: [Finding.Secret] = []
  ) -> Finding {
    Finding(
      rule: rule, severity: severity, location: field.location, message: message,
      anchor: field.kind.rawValue + " " + field.id, secrets: secrets)
  }

  private static func description(of subject: InterfaceField.Subject) -> String {
    switch subject.evidence {
    case .secureEntry: "a credential"
    default: "\(subject.sensitivity.noun) (\(subject.evidence.rawValue) “\(subject.text)”)"
    }
  }

  /// Returns true if the field must hide its text from onlookers. This excludes one-time codes and
  /// the answers to security questions.
  private static func mustBeSecure(
    _ field: InterfaceField, _ subject: InterfaceField.Subject
  ) -> Bool {
    guard field.kind == .textField else { return false }
    let words = Words.split(subject.text)
    switch subject.sensitivity {
    case .credential, .token, .key:
      guard !isOneTime(field, subject) else { return false }
      let text = subject.text.lowercased()
      // People check the words of a recovery phrase while they type.
      if subject.sensitivity == .key,
        words.contains(where: ["words", "phrase", "mnemonic", "seed"].contains)
      {
        return false
      }
      return !Vocabulary.securityQuestions.contains(where: text.contains)
        && !words.contains(where: ["answer", "csrf", "xsrf"].contains)
    case .payment:
      // If an outlet and the label beside its field disagree, people follow the label.
      if let caption = field.caption, SensitiveKind.ofCaption(caption) == .payment,
        !isCardCode(Words.split(caption))
      {
        return false
      }
      return isCardCode(words)
    default: return false
    }
  }

  private static func isCardCode(_ words: [String]) -> Bool {
    words.contains(where: Vocabulary.cardCodes.contains)
      || ["security code", "security number"].contains(where: words.joined(separator: " ").contains)
  }

  private static func isOneTime(
    _ field: InterfaceField, _ subject: InterfaceField.Subject
  ) -> Bool {
    if ["oneTimeCode", "one-time-code"].contains(field.textContentType) { return true }
    let texts =
      [subject.text, field.placeholder ?? "", field.caption ?? ""] + field.outlets.map(\.name)
    return texts.contains { text in
      let words = Words.split(text)
      return words.contains(where: Vocabulary.oneTimeWords.contains)
        || Vocabulary.oneTimePhrases.contains(where: words.joined(separator: " ").contains)
    }
  }

  /// Returns true if the text is a real value, rather than a hint or a designer's placeholder.
  private static func isPrefilled(
    _ text: String, _ field: InterfaceField, _ subject: InterfaceField.Subject
  ) -> Bool {
    guard text != field.placeholder, text != field.caption, SensitiveKind.ofCaption(text) == nil
    else {
      return false
    }
    let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic }
    let digits = text.unicodeScalars.filter { 0x30...0x39 ~= $0.value }
    switch subject.sensitivity {
    case .credential, .token, .key:
      return LiteralSecret.isLiteral(text, named: subject.text) && text.trimmed.count >= 3
    case .payment, .identity:
      let numbers = digits.map { Int($0.value) }
      let isSeries = zip(numbers, numbers.dropFirst()).allSatisfy { ($0 + 1) % 10 == $1 % 10 }
      return digits.count >= 3 && letters.count <= 2 && Set(numbers).count > 1 && !isSeries
    default: return false
    }
  }
}

extension SensitiveKind {
  /// True if other people may know the value: it describes a person and grants no access.
  var isOpen: Bool {
    switch self {
    case .personal, .health, .location: true
    default: false
    }
  }
}

extension InterfaceField {
  /// Names that a secure field shares with the plain field that replaces it while a person reveals
  /// what was typed, such as `passwordSecureTextField` and `passwordTextField`.
  fileprivate var twinNames: [String] {
    outlets.map { outlet in
      let words = Words.split(outlet.name)
        .filter { !Self.twinWords.contains($0) && !Vocabulary.controls.contains($0) }
      return (outlet.owner ?? "") + " " + words.joined(separator: " ")
    }
  }

  private static let twinWords: Set<String> = [
    "secure", "secured", "plain", "clear", "visible", "shown", "hidden", "unsecure", "insecure",
  ]

  /// True if the keyboard corrects what is typed, and learns from it.
  ///
  /// Spell checking that is left to the system follows autocorrection. Number pads and the
  /// keyboards for addresses correct nothing, and fields for AutoFill are not corrected either.
  var isCorrected: Bool {
    guard !isAppKit else { return false }
    if spellChecking == .yes || autocorrection == .yes { return true }
    guard autocorrection == .standard else { return false }
    let keyboards = [
      "numberPad", "phonePad", "decimalPad", "asciiCapableNumberPad", "emailAddress", "URL", "url",
    ]
    if let keyboardType, keyboards.contains(keyboardType) { return false }
    let types = [
      "username", "password", "new-password", "newPassword", "one-time-code", "oneTimeCode",
      "email",
      "emailAddress",
    ]
    return textContentType.map { !types.contains($0) } ?? true
  }
}
