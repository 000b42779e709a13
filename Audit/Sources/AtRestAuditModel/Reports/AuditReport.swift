import AtRestFormats

/// What an audit found, what it left out, and what it could not read.
public struct AuditReport: Sendable {
  /// The files that were audited, from which reports take the lines that they show.
  public let tree: SourceTree
  /// By path and line.
  public var findings: [Finding]
  /// Findings that a comment suppresses, with its reason.
  public var suppressed: [Suppressed]
  /// Comments that suppress nothing.
  public var unusedSuppressions: [UnusedSuppression]
  /// Findings that the baseline has.
  public var known: [Finding]
  /// What the baseline has and is not found any more.
  public var mended: [Baseline.Entry]
  /// What could not be read; fails `--strict`.
  public var skipped: [Skip]
  /// What was left out on purpose.
  public var leftOut: [LeftOut]
  /// What no program can judge, as it is answered in the settings.
  public var checklist: [ChecklistAnswer]
  public var statistics: Statistics
  /// The containers that were opened.
  public var containers: [ContainerSummary] = []

  public init(tree: SourceTree) {
    self.tree = tree
    findings = []
    suppressed = []
    unusedSuppressions = []
    known = []
    mended = []
    skipped = []
    leftOut = []
    checklist = []
    statistics = Statistics()
  }

  public struct Suppressed: Hashable, Sendable {
    public let finding: Finding
    public let reason: String
    public let line: Int

    public init(finding: Finding, reason: String, line: Int) {
      self.finding = finding
      self.reason = reason
      self.line = line
    }
  }

  public struct UnusedSuppression: Hashable, Sendable {
    public let path: String
    public let line: Int
    /// Why it does nothing: no such rule, no reason, or nothing found.
    public let why: String

    public init(path: String, line: Int, why: String) {
      self.path = path
      self.line = line
      self.why = why
    }
  }

  /// Files left out for one reason.
  public struct LeftOut: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
      /// Code of others kept in the project.
      case vendored
      case generated
      /// Tests, which do not ship.
      case tests
      /// Left out by the settings.
      case excluded
      /// Not versioned, as a `.gitignore` says.
      case ignored
      /// Symbolic links, which are not followed.
      case linked
      /// Not changed since the revision asked for.
      case unchanged
    }

    public let reason: Reason
    public let path: String

    public init(reason: Reason, path: String) {
      self.reason = reason
      self.path = path
    }
  }

  public struct ChecklistAnswer: Hashable, Sendable {
    public let id: String
    public let question: String
    /// What the settings say, if anything.
    public let answer: String?

    public init(id: String, question: String, answer: String?) {
      self.id = id
      self.question = question
      self.answer = answer
    }
  }

  public struct Statistics: Hashable, Sendable {
    /// Files read.
    public var files = 0
    /// Lines of source code read, by language, and of other files.
    public var swiftLines = 0
    public var objectiveCLines = 0
    public var otherFiles = 0
    public var seconds = 0.0

    public init() {}
  }
}
