import AtRestAuditModel
import AtRestFormats
import Foundation

/// The result of the rules.
package struct Judgement: Sendable {
  package let findings: [Finding]
  package let skipped: [Skip]

  package init(findings: [Finding], skipped: [Skip] = []) {
    self.findings = findings
    self.skipped = skipped
  }
}
