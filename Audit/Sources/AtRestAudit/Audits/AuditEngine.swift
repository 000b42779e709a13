import AtRestAuditModel
import AtRestFormats
import Foundation

/// Reads files and judges them: the languages and the rules behind an audit.
package protocol AuditEngine: Sendable {
  /// The content of a file that was read.
  associatedtype Content: Sendable

  /// The rulebook.
  var rules: [Rule] { get }

  /// Reads one file. It is called from several threads at once.
  func read(_ file: AuditFile, _ data: Data) -> Reading<Content>

  /// Judges everything that was read.
  func judge(_ readings: [Reading<Content>], _ settings: Settings) throws -> Judgement
}

/// The result of reading one file.
package struct Reading<Content: Sendable>: Sendable {
  package let file: AuditFile
  /// The code, if the file is code.
  package let source: SourceFile?
  /// The content, or nil if the engine does not read the file.
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

/// The result of the rules.
package struct Judgement: Sendable {
  package let findings: [Finding]
  package let skipped: [Skip]

  package init(findings: [Finding], skipped: [Skip] = []) {
    self.findings = findings
    self.skipped = skipped
  }
}
