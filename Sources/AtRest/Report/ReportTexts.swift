import Foundation

/// The sentences of an ``AccountReport`` in one language.
///
/// ```swift
/// let german = ReportTexts(
///   language: "de",
///   texts: [
///     "page.title": "Was auf diesem Gerät über Sie gespeichert ist",
///     "limit.reads.one": "bis es noch einmal gelesen wurde",
///     "limit.reads.other": "bis es noch {count}-mal gelesen wurde",
///     "why.record.statements": "Damit Sie Ihre Auszüge auch ohne Netz sehen.",
///   ])
/// #expect(german.missing.isEmpty)        // in a test of the application
/// ```
///
/// | key | text |
/// | --- | --- |
/// | `kind.`*kind* | the title of an entry, such as `kind.payment-card` |
/// | `why.record.`*name*, `why.`*kind* | the reason why an entry is kept; the former takes precedence |
/// | `why` | the reason for any other entry |
/// | `limit.…` | until when an entry is kept, with `{date}` or `{count}`, in lower case |
/// | `key.…`, `migration.…` | how an entry is protected |
/// | `risk.`*id* | what the device does not protect, by the `id` of a risk; other risks are shown in English |
/// | `page.…` | the headings of the page |
///
/// A text that has no translation is in English. To give reasons of your own in English, pass only
/// these. A text with `{count}` has one key for each plural category of the language, such as
/// `limit.reads.one` and `limit.reads.other`; `other` stands in for a category that is missing.
public struct ReportTexts: Sendable {
  /// The language as a BCP 47 tag, such as `de` or `pt-BR`. It also decides how dates are written.
  public let language: String
  private let texts: [String: String]
  private let plural: @Sendable (Int) -> String

  /// Creates texts.
  ///
  /// - Parameters:
  ///   - texts: The texts by key. Keys that are missing fall back to English.
  ///   - plural: Returns the plural category of a number in this language: `zero`, `one`, `two`,
  ///     `few`, `many` or `other`, as in Unicode CLDR. The default is the rule of English and German:
  ///     `one` for 1, otherwise `other`.
  public init(
    language: String, texts: [String: String],
    plural: @escaping @Sendable (Int) -> String = { $0 == 1 ? "one" : "other" }
  ) {
    self.language = language
    self.texts = texts
    self.plural = plural
  }

  /// The English texts.
  public static let english = ReportTexts(language: "en", texts: [:])

  /// The keys that can be translated, sorted.
  public static var keys: [String] { englishTexts.keys.sorted() }

  /// The keys that have no translation, sorted.
  public var missing: [String] { Self.keys.filter { texts[$0] == nil } }

  /// Returns the text of a key, or nil if neither this language nor English has one.
  func text(_ key: String, _ values: [String: String] = [:]) -> String? {
    (texts[key] ?? Self.englishTexts[key]).map { Self.fill($0, values) }
  }

  /// Returns the text of a key that every language has.
  func callAsFunction(_ key: String, _ values: [String: String] = [:]) -> String {
    text(key, values) ?? key
  }

  /// Returns the text of a key in the plural category of a number.
  func callAsFunction(_ key: String, count: Int) -> String {
    let own = texts["\(key).\(plural(count))"] ?? texts["\(key).other"]
    let text = own ?? Self.englishTexts["\(key).\(count == 1 ? "one" : "other")"] ?? key
    return Self.fill(text, ["count": count.formatted(.number.locale(Locale(identifier: language)))])
  }

  /// Replaces `{name}` by values, in one pass, so that a value may contain braces.
  private static func fill(_ text: String, _ values: [String: String]) -> String {
    guard !values.isEmpty else { return text }
    var filled = ""
    var rest = text[...]
    while let start = rest.firstIndex(of: "{"),
      let end = rest[start...].firstIndex(of: "}")
    {
      let name = String(rest[rest.index(after: start)..<end])
      filled += rest[..<start]
      filled += values[name] ?? String(rest[start...end])
      rest = rest[rest.index(after: end)...]
    }
    return filled + rest
  }
}

extension ReportTexts {
  private static let englishTexts: [String: String] = [
    "page.title": "Your data on this device",
    "page.account": "Account: {account}",
    "page.device": "For all users of this device",
    "page.made": "As of {date}",
    "page.entries.one": "{count} entry is kept about you.",
    "page.entries.other": "{count} entries are kept about you.",
    "page.empty": "Nothing is kept about you.",
    "page.why": "Why",
    "page.until": "Until when",
    "page.protection": "Protection",
    "page.stored": "Stored",
    "page.named": "{kind}: {name}",
    "page.risks": "What protects your data less on this device",
    "page.risk": "Risk",

    "risk.no-passcode":
      "No passcode is set. Anyone who can use your account on this device can open everything that is not encrypted with your passphrase.",
    "risk.weak-passcode": "The passcode is easy to guess.",
    "risk.device-key-beside-store":
      "The data and its key are on the same disk. A copy of the disk opens everything that no passcode protects.",
    "risk.open-permissions": "Other users of this device can reach files of the app's store.",
    "risk.software-device-key":
      "The key of this device is in a file and not in a security chip, so it can be copied.",
    "risk.unlocked-memory": "Parts of your data may be written to the disk while they are in use.",
    "risk.unencrypted-swap": "Parts of your data may be written to the disk while they are in use.",

    "limit.date": "until {date}",
    "limit.unused": "until {date} if it is not used",
    "limit.reads.one": "until it has been read one more time",
    "limit.reads.other": "until it has been read {count} more times",
    "limit.logout": "until you log out",
    "limit.device": "until the app deletes it",
    "limit.or": "{first}, or {second}",

    "key.device": "Encrypted for this device.",
    "key.composite": "Encrypted for this device and this app.",
    "key.passphrase": "Encrypted with your passphrase. Only you can open it.",
    "migration.yes": "An encrypted backup may contain it.",
    "migration.no": "A backup of it can only be opened on this device.",

    "kind.preference": "Settings",
    "kind.ticket": "Ticket or booking",
    "kind.statement": "Statement",
    "kind.document": "Document",
    "kind.token": "Login",
    "kind.cache": "Copy of data from the server",
    "kind.shared-secret": "Shared access",
    "kind.contact": "Contact",
    "kind.message": "Message",
    "kind.location": "Location",
    "kind.payment-card": "Payment card or account",
    "kind.health": "Health information",
    "kind.biometric": "Biometric data",
    "kind.genetic": "Genetic data",
    "kind.identity-document": "Identity document",
    "kind.special-category": "Personal belief, membership or orientation",
    "kind.account": "Name of your account",
    "kind.passphrase-check": "Check of your passphrase",
    "kind.composite-salt": "Random number for encryption",
    "kind.pseudonym-key": "Key for your pseudonym",
    "kind.stamp-key": "Key that detects changes to your data",
    "kind.stamp": "Number of the latest version of your data",
    "kind.envelope-keys": "Key for your encrypted data",

    "why": "The app needs it for what you do with it.",
    "why.preference": "To keep the app as you set it up.",
    "why.ticket": "To show your ticket or booking, even without a connection.",
    "why.statement": "To show it again without a connection.",
    "why.document": "Because you added or opened it.",
    "why.token": "To keep you logged in without your password.",
    "why.cache": "To show it again without loading it.",
    "why.shared-secret": "To reach a service that you share with others.",
    "why.contact": "To reach the people that you added.",
    "why.message": "To show your messages without a connection.",
    "why.location": "For functions that depend on where you are.",
    "why.payment-card": "To pay without entering it again.",
    "why.health": "For the health functions that you use.",
    "why.biometric": "For the functions for which you recorded it.",
    "why.genetic": "For the functions for which you provided it.",
    "why.identity-document": "To prove who you are when it is needed.",
    "why.special-category": "For the functions for which you provided it.",
    "why.account": "To find your data again when you use the app.",
    "why.passphrase-check": "To check your passphrase. The passphrase itself is not stored.",
    "why.composite-salt": "To encrypt your data.",
    "why.pseudonym-key": "So that this recipient gets a pseudonym instead of your name.",
    "why.stamp-key": "To notice if someone changes your data.",
    "why.stamp": "To notice if someone replaces your data with an older version.",
    "why.envelope-keys": "To encrypt data that is kept elsewhere.",
  ]
}
