import AtRestAuditModel
import AtRestFormats
import Foundation

/// What reads files and judges them: the languages and the rules behind an audit.
package protocol AuditEngine: Sendable {
  /// What a file that was read holds.
  associatedtype Content: Sendable

  /// The rulebook.
  var rules: [Rule] { get }

  /// Reads one file. Called from several threads at once.
  func read(_ file: AuditFile, _ data: Data) -> Reading<Content>

  /// Judges all that was read.
  func judge(_ readings: [Reading<Content>], _ settings: Settings) throws -> Judgement
}

/// What reading one file gave.
package struct Reading<Content: Sendable>: Sendable {
  package let file: AuditFile
  /// Code, if it is some.
  package let source: SourceFile?
  /// Nothing for a file that nobody reads.
  package let content: Content?
  package let skipped: [Skip]

  package init(
    file: AuditFile, source: SourceFile? = nil, content: Content? = nil, skipped: [Skip] = []
  ) {
    self.file = file
    self.source = source
    self.content = content
    self.skipped = skipped
  }
}

/// What the rules said.
package struct Judgement: Sendable {
  package let findings: [Finding]
  package let skipped: [Skip]

  package init(findings: [Finding], skipped: [Skip] = []) {
    self.findings = findings
    self.skipped = skipped
  }
}
