import AtRestFormats

/// The findings of an audit, the files that it left out, and those that it could not read.
public struct AuditReport: Sendable {
  /// The files that were audited. Reports quote lines from these files.
  public let tree: SourceTree
  /// The findings, the most severe first, then ordered by path, rule and line.
  public var findings: [Finding]
  /// The findings whose cause is that of another one, which lists their places.
  package var repeated: [Finding] = []
  /// The findings that comments suppress.
  public var suppressed: [Suppressed]
  /// The comments that suppress nothing.
  public var unusedSuppressions: [UnusedSuppression]
  /// The findings that are in the baseline.
  public var known: [Finding]
  /// The entries of the baseline that are no longer found.
  public var mended: [Baseline.Entry]
  /// The files and parts of files that could not be read. With `--strict`, they make the audit
  /// fail.
  public var skipped: [Skip]
  /// The files that were left out on purpose.
  public var leftOut: [LeftOut]
  /// The questions that no program can answer, with the answers in the settings.
  public var checklist: [ChecklistAnswer]
  public var statistics: Statistics
  /// The containers that were opened.
  public var containers: [ContainerSummary] = []
  /// The findings in containers whose values the code stores, with the code, the most severe first.
  public var joined: [JoinedFinding] = []
  /// The place on the web where people read the audited code, or nil if it is not known.
  public var repository: Repository?
  /// The secrets that rules found, including those of findings that the settings leave out, because
  /// lines of other findings can show them.
  public var secrets: [Finding.Secret] = []
  /// Everything that the code stores under a name. Reports show only what ``joined`` refers to.
  package var writes: [StorageWrite] = []

  /// Creates an empty report on a tree.
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

    /// Creates a suppressed finding with the reason that its comment gives.
    public init(finding: Finding, reason: String, line: Int) {
      self.finding = finding
      self.reason = reason
      self.line = line
    }
  }

  public struct UnusedSuppression: Hashable, Sendable {
    public let path: String
    public let line: Int
    /// The reason why the comment suppresses nothing: an unknown rule, a missing reason, or no
    /// finding.
    public let why: String

    /// Creates the description of a suppression that suppresses nothing.
    public init(path: String, line: Int, why: String) {
      self.path = path
      self.line = line
      self.why = why
    }
  }

  /// A file or folder that was left out, with the reason.
  public struct LeftOut: Hashable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
      /// Third-party code in the project.
      case vendored
      case generated
      /// Tests, which do not ship.
      case tests
      /// Programs, plugins and macros of the build, beside an app.
      case tools
      /// Code that no target of the Xcode project compiles.
      case unbuilt
      /// Files with findings that were left out, because the name of a type, a function, a variable or a
      /// folder says that it is a sample, a test, or for developers.
      case standIns
      /// Files with findings that are notes, because nothing leads to the code or to the screen.
      case unreached
      /// The dependencies in lock files, for which no advisories are given.
      case dependencies
      /// Files that the settings exclude.
      case excluded
      /// Files that git ignores.
      case ignored
      /// Symbolic links, which are not followed.
      case linked
      /// Files that did not change since the given revision.
      case unchanged
    }

    public let reason: Reason
    public let path: String

    /// Creates an entry for a file or folder that was left out.
    public init(reason: Reason, path: String) {
      self.reason = reason
      self.path = path
    }
  }

  public struct ChecklistAnswer: Hashable, Sendable {
    public let id: String
    public let question: String
    /// The answer in the settings, or nil if the question is not answered.
    public let answer: String?

    /// Creates a question of the checklist. The answer is nil if the question is not answered.
    public init(id: String, question: String, answer: String?) {
      self.id = id
      self.question = question
      self.answer = answer
    }
  }

  public struct Statistics: Hashable, Sendable {
    /// The number of files that were read.
    public var files = 0
    /// The number of lines of Swift that were read.
    public var swiftLines = 0
    /// The number of lines of Objective-C that were read.
    public var objectiveCLines = 0
    /// The number of files that were read and are not source code.
    public var otherFiles = 0
    public var seconds = 0.0

    /// Creates counts of zero.
    public init() {}
  }
}
