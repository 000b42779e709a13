import AtRestAuditModel
import AtRestFormats
import Foundation

/// The result of the rules.
package struct Judgement: Sendable {
  package let findings: [Finding]
  package let skipped: [Skip]
  /// The files that turned out not to be part of the app.
  package let leftOut: [AuditReport.LeftOut]

  package init(
    findings: [Finding], skipped: [Skip] = [], leftOut: [AuditReport.LeftOut] = []
  ) {
    self.findings = findings
    self.leftOut = leftOut
    self.skipped = skipped
  }
}
