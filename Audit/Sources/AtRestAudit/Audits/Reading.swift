import AtRestAuditModel
import AtRestFormats
import Foundation

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
