@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The question whether a program may use something that no grant gives it.
struct Question: Hashable, Sendable {
  /// The answers.
  enum Answer: String, Sendable {
    /// This request.
    case once
    /// Each such request until the store is locked.
    case session
    /// A grant is stored.
    case always
    /// No request of this program for these groups, until the agent ends.
    case never

    /// Reads one of the words. Returns nil for other words.
    init?(word: String) { self.init(rawValue: word.lowercased()) }

    /// Reads the output of a program that has said yes. Without a word, yes means once.
    init?(words: borrowing SecretBytes) {
      let text = words.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
      let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
      self.init(word: word.isEmpty || word.lowercased() == "yes" ? Self.once.rawValue : word)
    }
  }

  static let choices = "once, session (until the store is locked), always, or never? "
  private static let longestPart = 200

  /// The fact by which the program is remembered.
  let evidence: AgentEvidence
  /// The item, or nil for all items of the groups.
  let item: PrimaryKey?
  /// The purpose, if it is neither reading nor changing items.
  let purpose: String?
  /// The access groups that a grant would give.
  let groups: [String]
  /// True if items are to be changed.
  let isForWriting: Bool

  /// The question for the user. Names come from programs, so they are shortened, and have no
  /// characters that change how other text is shown.
  var text: String {
    """
    \(Self.shown(application)) asks \(request).
    An answer for always includes \(everything), and needs the passcode of the store.
    Evidence: \(evidenceText). \(strength)
    """
  }

  private var evidenceText: String { "\(evidence.kind.rawValue)=\(Self.shown(evidence.value))" }

  /// The text with which the passcode is asked for.
  var passcodeText: String {
    "Passcode of the store, to always allow \(Self.shown(application)) to use \(everything):"
  }

  /// The text with which the passcode is asked for, to unlock the store.
  var unlockText: String {
    """
    \(Self.shown(application)) asks to unlock the store.
    Evidence: \(evidenceText). \(strength)
    Passcode of the store:
    """
  }

  /// The items or files that a grant would give, in words.
  private var everything: String {
    guard !groups.contains(AgentGrant.filesGroup) else { return "all protected files of the store" }
    return "all items of the access group " + groups.map(Self.shown).joined(separator: ", ")
  }

  /// The text with which the user is asked for a proof, without the kind of proof.
  ///
  /// - Parameter reason: The program's own reason.
  func proofText(reason: String) -> String {
    """
    \(Self.shown(application)) asks \(request).
    Evidence: \(evidenceText). \(strength)
    Its own reason: \(Self.shown(reason))
    """
  }

  /// The groups for which the program is not asked about again after it was refused.
  var scopes: [Scope] {
    groups.map { Scope(evidence: evidence, group: Array($0.utf8), isForWriting: isForWriting) }
  }

  /// An access group that a program wants to use.
  struct Scope: Hashable, Sendable {
    let evidence: AgentEvidence
    /// The name of the group as bytes, which tell names apart that look the same.
    let group: [UInt8]
    var isForWriting: Bool
  }

  /// An answer counts for the same bytes only.
  static func == (one: Question, other: Question) -> Bool {
    one.scopes == other.scopes && one.item == other.item
      && one.purpose.map { Array($0.utf8) } == other.purpose.map { Array($0.utf8) }
      && one.isForWriting == other.isForWriting && one.evidence == other.evidence
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(scopes)
    hasher.combine(item)
    hasher.combine(purpose.map { Array($0.utf8) })
  }

  /// The item or group in words, for the audit log.
  var subject: String {
    "\(request) (\(evidence.description))"
  }

  private var application: String {
    // The path of a program comes before its digest.
    evidence.kind == .program
      ? evidence.value.split(separator: " ").dropLast().joined(separator: " ") : evidence.value
  }

  private var request: String {
    if let purpose {
      // These are the agent's own words.
      guard !groups.contains(AgentGrant.filesGroup) else { return purpose }
      return "\(Self.shown(purpose)), access group "
        + groups.map(Self.shown).joined(separator: ", ")
    }
    let verb = isForWriting ? "to change" : "to read"
    guard let item else {
      return "\(verb) items of the access group "
        + groups.map(Self.shown).joined(separator: ", ")
    }
    let parts = item.attributes.map { "\($0.key) \(Self.shown("\($0.value)"))" }.sorted()
    return "\(verb) the item with \(parts.joined(separator: ", ")), "
      + "access group \(groups.map(Self.shown).joined(separator: ", "))"
  }

  private var strength: String {
    evidence.holdsAgainstOtherPrograms
      ? "Another program of yours cannot produce it."
      : "Another program of yours could produce it."
  }

  /// Returns text from a program as a question shows it: in quotation marks, which it cannot end.
  static func shown(_ text: String) -> String {
    let part = text.unicodeScalars.prefix(longestPart).map { scalar in
      if scalar == "\"" || scalar == "\\" { return "\\" + String(scalar) }
      return scalar.isHidden ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
    }.joined()
    return "\"" + part + (text.unicodeScalars.count > longestPart ? "…" : "") + "\""
  }
}
