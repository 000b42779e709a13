import AtRestFormats
import Crypto
import Foundation

/// What tells a finding from all others, whatever line it is on.
///
/// SHA-256 over the rule, the path, what stands there, and how many of the same come before it in the
/// file.
public struct Fingerprints: Sendable {
  private let values: [Finding: String]

  /// - Parameter findings: All of an audit: those that are suppressed count too, so that a comment
  ///   changes no number.
  public init(_ findings: [Finding]) {
    var counts: [Key: Int] = [:]
    var values: [Finding: String] = [:]
    for finding in findings.sorted(by: { $0.location < $1.location }) where values[finding] == nil {
      let key = Key(rule: finding.rule, path: finding.location.path, anchor: finding.anchor)
      let occurrence = counts[key, default: 0]
      counts[key] = occurrence + 1
      values[finding] = Self.digest([
        finding.rule.rawValue, finding.location.path, finding.anchor, String(occurrence),
      ])
    }
    self.values = values
  }

  /// All findings of a report, whatever became of them.
  package init(_ report: AuditReport) {
    self.init(report.findings + report.suppressed.map(\.finding) + report.known)
  }

  /// In hexadecimal.
  public subscript(finding: Finding) -> String {
    values[finding]
      ?? Self.digest([finding.rule.rawValue, finding.location.path, finding.anchor, "0"])
  }

  /// Of the anchor alone, by which a file that moved is known again.
  static func ofAnchor(_ finding: Finding) -> String {
    digest([finding.rule.rawValue, finding.anchor])
  }

  private struct Key: Hashable {
    let rule: RuleID
    let path: String
    let anchor: String
  }

  private static func digest(_ parts: [String]) -> String {
    var hash = SHA256()
    for part in parts {
      // Lengths keep the parts apart.
      hash.update(data: Data("\(part.utf8.count):\(part)".utf8))
    }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finalize() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
