import AtRestAuditModel
import AtRestFormats
import Foundation

/// The result of the rules.
package struct Judgement: Sendable {
  package let findings: [Finding]
  package let skipped: [Skip]
  /// The files that turned out not to be part of the app.
  package let leftOut: [AuditReport.LeftOut]
  /// The names under which the code stores values.
  package let writes: [StorageWrite]
  /// The secrets that no finding reports, such as those of examples.
  package let secrets: [Finding.Secret]

  package init(
    findings: [Finding], skipped: [Skip] = [], leftOut: [AuditReport.LeftOut] = [],
    writes: [StorageWrite] = [], secrets: [Finding.Secret] = []
  ) {
    self.findings = findings
    self.leftOut = leftOut
    self.writes = writes
    self.skipped = skipped
    self.secrets = secrets
  }
}
