/// A row of the table of the forms by which secrets are recognised, whatever they are called.
///
/// ``all`` puts ``TokenForm``, ``KeyForm``, ``CardForm``, ``AccountForm`` and ``IdentityForm`` into one table, which
/// `atrest-audit rules secrets` prints.
public struct SecretForm: Sendable {
  /// The part of the table to which the row belongs.
  public let group: Group
  public let name: String
  /// The beginning of the secret, or the way in which it is written.
  public let written: String
  /// The form that the auditor takes.
  public let exact: String
  /// The form that the redactor takes in logs.
  public let loose: String
  /// The name of the document that describes the form.
  public let source: String
  private let consumers: Set<SecretConsumer>
  private let isForTests: Bool

  /// A part of the table.
  public enum Group: String, CaseIterable, Sendable {
    case tokens = "Tokens of services"
    case keys = "Keys and tokens in a standard form"
    case cards = "Payment cards"
    case accounts = "Bank accounts"
    case identities = "Identity numbers"
  }

  /// Returns true if a part of AtRest looks for the form.
  public func isFound(by consumer: SecretConsumer) -> Bool { consumers.contains(consumer) }

  /// A word for what a part of AtRest does with a text of the form.
  public func treatment(by consumer: SecretConsumer) -> String {
    guard isFound(by: consumer) else { return "–" }
    return switch consumer {
    case .logs: "withheld"
    case .code, .propertyLists: isForTests ? "reported (low)" : "reported"
    case .containers: "reported"
    case .reports: "masked"
    }
  }
}

extension SecretForm {
  /// All rows, in the order of ``Group``.
  public static let all: [SecretForm] =
    TokenForm.all.map(SecretForm.init) + KeyForm.allCases.map(SecretForm.init)
    + CardForm.all.map(SecretForm.init) + [accounts] + IdentityForm.all.map(SecretForm.init)

  private init(_ form: TokenForm) {
    func text(_ tail: TokenForm.Tail) -> String {
      let count = tail.count
      let number =
        count.upperBound == .max
        ? "\(count.lowerBound) or more"
        : count.count == 1 ? "\(count.lowerBound)" : "\(count.lowerBound) to \(count.upperBound)"
      return "\(number) of \(tail.alphabet.rawValue)"
    }
    self.init(
      group: .tokens, name: form.name, written: form.prefixes.joined(separator: " "),
      exact: text(form.exact), loose: text(form.loose), source: form.source.title,
      consumers: Set(SecretConsumer.allCases.filter(form.isFound)), isForTests: form.use == .test)
  }

  private init(_ form: KeyForm) {
    self.init(
      group: .keys, name: form.name, written: form.written, exact: form.exact, loose: form.loose,
      source: form.source.title, consumers: Set(SecretConsumer.allCases.filter(form.isFound)),
      isForTests: false)
  }

  private init(_ form: CardForm) {
    func text(_ counts: [Int]) -> String { counts.map(String.init).joined(separator: ", ") }
    self.init(
      group: .cards, name: form.issuer, written: form.digits,
      exact: "\(text(form.exact)) digits, Luhn",
      loose: "\(text(form.loose)) digits, Luhn, the first two digits", source: "ISO/IEC 7812-1",
      consumers: [.logs, .containers], isForTests: false)
  }

  private static let accounts = SecretForm(
    group: .accounts, name: "IBAN",
    written: AccountForm.lengths.keys.sorted().joined(separator: " "),
    exact: "the length of the country, modulo 97, capitals",
    loose: "also small letters and hyphens",
    source: "ISO 13616, IBAN registry", consumers: [.logs, .containers], isForTests: false)

  private init(_ form: IdentityForm) {
    let strength = form.templates.map(\.strength).max() ?? .none
    self.init(
      group: .identities, name: form.name,
      written: form.templates.map(\.pattern).joined(separator: ", "),
      exact: (form.check.map { "check digit (\($0))" } ?? "no check digit")
        + (strength == .none ? ", after a word such as “\(form.words[0])”" : ""),
      loose: "the same" + (strength == .none ? ", with hyphens, without a word" : ""),
      source: form.source, consumers: [.logs, .containers], isForTests: false)
  }
}
