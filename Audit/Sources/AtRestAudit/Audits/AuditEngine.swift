import AtRestAuditModel
import AtRestFormats
import Foundation

/// What reads files and judges them: the languages and the rules behind an audit.
package struct AuditEngine: Sendable {
  /// The rulebook.
  package let rules: [Rule]
  /// Reads one file. Called from several threads at once.
  let read: @Sendable (AuditFile, Data) -> Reading
  /// Judges all that was read.
  let judge: @Sendable ([Reading], Settings) throws -> Judgement

  package init(
    rules: [Rule], read: @escaping @Sendable (AuditFile, Data) -> Reading,
    judge: @escaping @Sendable ([Reading], Settings) throws -> Judgement
  ) {
    self.rules = rules
    self.read = read
    self.judge = judge
  }

  /// What reading one file gave.
  package struct Reading: Sendable {
    package let file: AuditFile
    /// Code, if it is some.
    package let source: SourceFile?
    /// What a resource holds, as its reader gives it.
    package let resource: (any Sendable)?
    package let skipped: [Skip]

    package init(
      file: AuditFile, source: SourceFile? = nil, resource: (any Sendable)? = nil,
      skipped: [Skip] = []
    ) {
      self.file = file
      self.source = source
      self.resource = resource
      self.skipped = skipped
    }
  }

  package struct Judgement: Sendable {
    package let findings: [Finding]
    package let skipped: [Skip]

    package init(findings: [Finding], skipped: [Skip] = []) {
      self.findings = findings
      self.skipped = skipped
    }
  }
}
