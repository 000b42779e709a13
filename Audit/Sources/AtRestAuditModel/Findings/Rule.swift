/// A rule of the rulebook: what is wrong, why it matters, and how to fix it.
public struct Rule: Sendable {
  /// The stable identifier, in lower case with hyphens: `userdefaults-sensitive`.
  public let id: RuleID
  public let title: String
  /// The severity of the rule's findings, unless the circumstances of a finding change it.
  public let severity: Severity
  public let level: Level
  /// The kind of input that the rule judges.
  public let subject: Subject
  /// One sentence that says what an attacker can do with data stored this way.
  public let consequence: String
  /// One or two sentences that say what to do instead.
  public let remedy: String
  public let references: References
  /// Examples of the wrong and the right way. The tests run both.
  public let bad: Example
  public let good: Example

  public enum Level: String, Codable, Sendable { case required, recommended }
  public enum Subject: String, Codable, Sendable { case source, container }

  /// The standards that the rule refers to.
  public struct References: Codable, Hashable, Sendable {
    /// MASVS 1: `MSTG-STORAGE-1`.
    public let masvs: [String]
    /// MASWE 1.0 (2026): `MASWE-0001`.
    public let maswe: [String]
    /// The same weaknesses by their numbers in the MASWE beta.
    public let masweBeta: [String]
    /// Tests of the MASTG: `MASTG-TEST-0302`.
    public let mastg: [String]
    /// CWE numbers: `312`.
    public let cwe: [Int]

    /// Creates the references of a rule. Each list may be empty.
    public init(
      masvs: [String] = [], maswe: [String] = [], masweBeta: [String] = [], mastg: [String] = [],
      cwe: [Int] = []
    ) {
      self.masvs = masvs
      self.maswe = maswe
      self.masweBeta = masweBeta
      self.mastg = mastg
      self.cwe = cwe
    }
  }

  /// A file of a project that violates the rule or follows it.
  public struct Example: Sendable {
    /// The name of the file, which determines the language: `Login.swift`, `Info.plist`.
    public let file: String
    public let text: String

    /// Creates an example from the name and the text of a file.
    public init(_ file: String, _ text: String) {
      self.file = file
      self.text = text
    }
  }

  /// Creates the entry of a rule in the catalogue.
  public init(
    _ id: RuleID, _ title: String, severity: Severity, level: Level, subject: Subject = .source,
    consequence: String, remedy: String, references: References, bad: Example, good: Example
  ) {
    self.id = id
    self.title = title
    self.severity = severity
    self.level = level
    self.subject = subject
    self.consequence = consequence
    self.remedy = remedy
    self.references = references
    self.bad = bad
    self.good = good
  }
}
