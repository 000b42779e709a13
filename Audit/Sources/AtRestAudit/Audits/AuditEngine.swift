import Foundation

/// What reads files and judges them: the languages and the rules behind an audit.
public struct AuditEngine: Sendable {
  /// The rulebook.
  public let rules: [Rule]
  /// Reads one file. Called from several threads at once.
  let read: @Sendable (AuditFile, Data) -> Reading
  /// Judges all that was read.
  let judge: @Sendable ([Reading], Settings) throws -> Judgement

  public init(
    rules: [Rule], read: @escaping @Sendable (AuditFile, Data) -> Reading,
    judge: @escaping @Sendable ([Reading], Settings) throws -> Judgement
  ) {
    self.rules = rules
    self.read = read
    self.judge = judge
  }

  /// What reading one file gave.
  public struct Reading: Sendable {
    public let file: AuditFile
    /// Code, if it is some.
    public let source: SourceFile?
    /// What a resource holds, as its reader gives it.
    public let resource: (any Sendable)?
    public let skipped: [Skip]

    public init(
      file: AuditFile, source: SourceFile? = nil, resource: (any Sendable)? = nil,
      skipped: [Skip] = []
    ) {
      self.file = file
      self.source = source
      self.resource = resource
      self.skipped = skipped
    }
  }

  public struct Judgement: Sendable {
    public let findings: [Finding]
    public let skipped: [Skip]

    public init(findings: [Finding], skipped: [Skip] = []) {
      self.findings = findings
      self.skipped = skipped
    }
  }
}
